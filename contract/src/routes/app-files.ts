// The app as files, for `foyer pull`, `foyer diff` and `foyer apply`, and for "Download as files" in the dashboard.
import { initContract } from '@ts-rest/core';
import { backendBodyKeys, backendBodyValues, configBodyBytes } from '../limits.js';
import { meta } from '../metadata.js';
import { AppFiles, AppFilesChange, AppliedFiles } from '../schemas/app-files.js';
import { dataEnvelope } from '../schemas/envelopes.js';

const c = initContract();

const scopes = 'Requires the scopes `config:read`, `data:manage` and `webhooks:manage` as well.';

export const appFiles = c.router(
  {
    read: {
      method: 'GET',
      path: '',
      summary: 'Read the app as files',
      description:
        'Settings, remote config, collections and webhooks as YAML, and the texts of mails as Markdown. Two apps with the same ' +
        `configuration have the same files, byte for byte. Secrets are not included. ${scopes}`,
      responses: { 200: dataEnvelope(AppFiles) },
      metadata: meta({ audit: null, errors: [] }),
    },
    apply: {
      method: 'PUT',
      path: '',
      summary: 'Change one group of the app',
      description:
        'Changes the settings, or replaces the remote config, the collections or the webhooks, as a whole or not at all. ' +
        'Settings require the same scopes as `PATCH /admin/settings`, the remote config `config:write`, collections ' +
        '`data:manage`, and webhooks `webhooks:manage` and `users:read`, and `audit:read` for types of the audit log.',
      body: AppFilesChange,
      responses: { 200: dataEnvelope(AppliedFiles) },
      metadata: meta({
        recentSignIn: true,
        bodyBytes: configBodyBytes,
        bodyValues: backendBodyValues,
        bodyKeys: backendBodyKeys,
        audit: 'settings.updated',
        errors: [
          'admin/version-conflict',
          'config/version-conflict',
          'config/invalid-parameter',
          'data/too-many-collections',
          'data/collection-not-empty',
          'webhooks/invalid-url',
        ],
      }),
    },
  },
  {
    pathPrefix: '/admin/app-files',
    metadata: meta({
      auth: 'admin',
      rateLimit: 'admin',
      scope: 'settings:manage',
    }),
  },
);
