// Previews of mails, and checks of the settings of an app.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { text } from '../input-values.js';
import { rateLimits } from '../limits.js';
import { meta } from '../metadata.js';
import { dataEnvelope } from '../schemas/envelopes.js';
import { MailDraft, MailedTo, ProviderCheck, RenderedMail } from '../schemas/settings-checks.js';

const c = initContract();

export const settingsChecks = c.router(
  {
    previewMail: {
      method: 'POST',
      path: '/preview-mail',
      summary: 'Preview a mail',
      description:
        'Renders the mail as a user who reads the given language receives it, with a sample code, and with the stored ' +
        'texts or with that of the body. Nothing is sent.',
      body: MailDraft,
      responses: { 200: dataEnvelope(RenderedMail) },
      metadata: meta({
        auth: 'admin',
        scope: 'settings:manage',
        orScope: 'sign-in:manage',
        audit: null,
        errors: [],
      }),
    },
    testMail: {
      method: 'POST',
      path: '/test-mail',
      summary: 'Send a test mail',
      description:
        'Mails the preview of `POST /admin/settings/preview-mail` to the calling team member; the sample code is not valid. At ' +
        `most ${rateLimits['notice-email'].limit} mails per hour by default (policy \`notice-email\`).`,
      body: MailDraft,
      responses: { 200: dataEnvelope(MailedTo) },
      metadata: meta({
        auth: 'member',
        role: 'admin',
        audit: 'mail.tested',
        alsoLimitedBy: ['notice-email'],
        idempotencyKey: true,
        errors: ['admin/mail-not-configured'],
      }),
    },
    checkProvider: {
      method: 'POST',
      path: '/check-provider',
      summary: 'Check the configuration of an identity provider',
      description:
        'Checks the stored settings of the provider step by step, as far as is possible without a user. Calls the ' +
        'provider to check whether its keys can be found and read and, for provider B, whether it accepts the private key. At most ' +
        `${rateLimits['provider-check'].limit} checks per minute (policy \`provider-check\`).`,
      body: z.strictObject({
        provider: text({ min: 1, max: 64 }).meta({
          description: '`provider-a`, `provider-b` or the id of a provider of the settings.',
          example: 'provider-b',
        }),
      }),
      responses: { 200: dataEnvelope(ProviderCheck) },
      metadata: meta({
        auth: 'admin',
        scope: 'settings:manage',
        orScope: 'sign-in:manage',
        audit: null,
        alsoLimitedBy: ['provider-check'],
        errors: ['auth/no-such-provider'],
      }),
    },
    checkPasskeys: {
      method: 'POST',
      path: '/check-passkeys',
      summary: 'Check the files that passkeys of mobile apps need',
      description:
        'Fetches `/.well-known/apple-app-site-association` and `/.well-known/assetlinks.json` from the host `passkeys.rp_id`, ' +
        'and checks whether they name apps that may use its passkeys. Browsers need neither. At most ' +
        `${rateLimits['provider-check'].limit} checks per minute (policy \`provider-check\`).`,
      body: c.noBody(),
      responses: { 200: dataEnvelope(ProviderCheck) },
      metadata: meta({
        auth: 'admin',
        scope: 'settings:manage',
        orScope: 'sign-in:manage',
        audit: null,
        alsoLimitedBy: ['provider-check'],
        errors: [],
      }),
    },
  },
  { pathPrefix: '/admin/settings', metadata: meta({ rateLimit: 'admin' }) },
);
