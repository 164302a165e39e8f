// The settings of an app, for its own backend.
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
        'setting does not go unnoticed. Settings by which somebody could become a user (`provider_a`, `provider_b`, `providers`, ' +
        '`deep_link`, `mail`, `allowed_origins`, `sign_up`, `recent_sign_in_minutes`, and the factors `sign_in`, `codes` ' +
        'and `refresh` of `rate_limits`) require the scope `sign-in:manage`, all others `settings:manage`; when one of ' +
        'them changes, the owners of the app are notified by mail. A team member needs a recent sign-in for these ' +
        'settings, for `push` and for `v1_sunset_at`.',
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
    metadata: meta({
      auth: 'admin',
      rateLimit: 'admin',
      scope: 'settings:manage',
      orScope: 'sign-in:manage',
    }),
  },
);
