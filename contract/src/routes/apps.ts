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
      description: 'As they are now, with the defaults of those that nobody set.',
      responses: { 200: dataEnvelope(AppSettings) },
      metadata: meta({ audit: null, errors: [] }),
    },
    updateSettings: {
      method: 'PATCH',
      path: '',
      summary: "Change the app's settings",
      description:
        'Objects merge key by key, arrays replace. An unknown key is refused, so that no typing error passes.',
      body: AppSettingsPatch,
      responses: { 200: dataEnvelope(AppSettings) },
      metadata: meta({
        audit: 'settings.updated',
        errors: [],
      }),
    },
  },
  {
    pathPrefix: '/admin/settings',
    metadata: meta({ auth: 'admin', rateLimit: 'admin', scope: 'settings:manage' }),
  },
);
