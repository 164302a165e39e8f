// The settings of an app, for its own backend. Conventions of the API, "Apps, team and dashboard".
import { initContract } from '@ts-rest/core';
import { meta } from '../metadata.js';
import { AppSettings, AppSettingsPatch } from '../schemas/apps.js';
import { dataEnvelope } from '../schemas/envelopes.js';

const c = initContract();

export const apps = c.router(
  {
    getSettings: {
      method: 'GET',
      path: '',
      summary: "Read the app's settings",
      description: 'Settings that were never changed have their default.',
      responses: { 200: dataEnvelope(AppSettings) },
      metadata: meta({ audit: null, errors: [] }),
    },
    updateSettings: {
      method: 'PATCH',
      path: '',
      summary: "Change the app's settings",
      description:
        'Objects are merged key by key; arrays are replaced. An unknown key is rejected, so that a misspelt ' +
        'setting does not go unnoticed. A team member needs a recent sign-in to change credentials (`provider_a`, ' +
        '`provider_b`, `push`).',
      body: AppSettingsPatch,
      responses: { 200: dataEnvelope(AppSettings) },
      metadata: meta({
        audit: 'settings.updated',
        errors: ['auth/requires-recent-login'],
      }),
    },
  },
  {
    pathPrefix: '/admin/settings',
    metadata: meta({ auth: 'admin', rateLimit: 'admin', scope: 'settings:manage' }),
  },
);
