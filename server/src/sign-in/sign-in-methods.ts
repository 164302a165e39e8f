// GET /auth/methods: how users sign in to an app. It depends on the settings only, never on a user.
import { limits, type SignInMethods } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { clientIdsOf, nameOf } from '../identities/provider.js';
import { isRedirectable } from '../identities/redirect-provider.js';
import { type App, secondFactorRule } from '../model/app.js';
import { relyingPartyOf } from '../passkeys/relying-party.js';

export function signInMethodsOf(config: Deps['config'], app: App): SignInMethods {
  const { sign_up, refuse_common_passwords, deep_link, provider_a, provider_b } = app.settings;
  const webClients = {
    'provider-a': provider_a.client_ids.web,
    'provider-b': provider_b.services_ids,
  };
  const enabled = (['provider-a', 'provider-b'] as const).filter((id) => clientIdsOf(app, id).length > 0);
  return {
    sign_up,
    password: {
      min_characters: limits.minPasswordCharacters,
      max_bytes: limits.maxPasswordBytes,
      refuses_common: refuse_common_passwords,
    },
    email_code: { digits: limits.codeDigits, magic_link: deep_link !== null },
    passkeys: relyingPartyOf({ config }, app) !== null,
    second_factor: secondFactorRule(app),
    providers: [
      ...enabled.map((id) => ({
        ...{ id, kind: id, name: nameOf(config, id) },
        client_id: webClients[id][0] ?? null,
        redirect: isRedirectable({ config }, app, id),
      })),
      ...Object.entries(app.settings.providers).map(([id, provider]) => ({
        ...{ id, kind: provider.kind, name: provider.name },
        client_id: provider.client_ids[0] ?? null,
        redirect: isRedirectable({ config }, app, id),
      })),
    ],
  };
}
