// Why an ID token was refused stands in the audit log and the log, while the client gets one answer for all reasons.
import { type TokenRefusal, tokenRefusals } from '@foyer/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ProviderKey, providerKey, type TokenOptions } from '../../test/identity-provider.js';
import { clients, nonce, providerScenario, settings } from '../../test/provider-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';

const minute = 60_000;
const logged: string[] = [];
const scenario = shared(() => providerScenario({ onLogLine: (line) => logged.push(line) }));
let attacker: ProviderKey;
beforeAll(async () => {
  attacker = await providerKey('first');
});

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const token = (options: TokenOptions = {}) =>
  scenario.a.idToken({ ...options, claims: { nonce, ...options.claims } });
const send = (idToken: string) => scenario.signInA({ id_token: idToken, nonce });

describe('the reason of a refusal', () => {
  const seconds = () => Math.floor(scenario.service.clock.now().getTime() / 1_000);
  const used = async () => {
    const text = await token();
    await send(text);
    scenario.service.clock.advance(6 * minute);
    return text;
  };
  const ofGoogle = (name: string) => `${name}.apps.googleusercontent.com`;

  // Every reason of the contract has a row.
  const rows: [TokenRefusal, () => Promise<string>, object?][] = [
    ['malformed', async () => 'text', {}],
    ['unsupported-algorithm', async () => `${encoded({ alg: 'none' })}.${(await token()).split('.')[1]}.`],
    ['forbidden-header', () => token({ header: { jku: 'https://evil.example/keys' } })],
    [
      'wrong-issuer',
      () => token({ claims: { iss: 'https://securetoken.google.com/project-1' } }),
      { iss: 'https://securetoken.google.com/project-1' },
    ],
    ['unknown-key', () => token({ header: { kid: '../../etc/passwd' } }), { kid: '../../etc/passwd' }],
    ['wrong-signature', () => token({ key: attacker })],
    ['wrong-audience', () => token({ claims: { aud: ['a', 'b c\n<i>', 'd', 'e'] } }), { aud: 'a b?c??i? d' }],
    ['wrong-audience', () => token({ claims: { aud: 'x'.repeat(120) } }), { aud: 'x'.repeat(120) }],
    ['wrong-audience', () => token({ claims: { aud: 'x'.repeat(121) } }), { aud: `${'x'.repeat(120)}...` }],
    [
      'wrong-authorized-party',
      () => token({ claims: { aud: ofGoogle('1-web'), azp: ofGoogle('2-web') } }),
      { aud: ofGoogle('1-web'), azp: ofGoogle('2-web') },
    ],
    ['no-subject', () => token({ claims: { sub: undefined } })],
    ['expired', () => token({ claims: { iat: seconds() - 600, exp: seconds() - 300 } })],
    ['expired', () => token({ claims: { exp: seconds() } })],
    ['expired', () => token({ claims: { exp: undefined } })],
    ['too-old', () => token({ claims: { iat: seconds() - 3_601 } })],
    ['not-yet-valid', () => token({ claims: { iat: seconds() + 300 } })],
    ['not-yet-valid', () => token({ claims: { nbf: seconds() + 7_200 } })],
    ['no-nonce', () => token({ claims: { nonce: undefined } })],
    ['wrong-nonce', () => token({ claims: { nonce: 'another' } })],
    ['used-before', used],
    ['no-email', () => token({ claims: { sub: 'no-email', email: undefined } })],
    ['unverified-email', () => token({ claims: { sub: 'unverified', email_verified: false } })],
  ];

  test('has a row for each of the contract', () => {
    expect([...new Set(rows.map(([reason]) => reason))]).toEqual(Object.keys(tokenRefusals));
  });

  test.each(rows)(
    '%s is in the audit log and the log, with what the token claims',
    async (reason, make, more) => {
      const { service } = scenario;
      await scenario.set({ provider_a: { client_ids: { web: [clients.web, ofGoogle('1-web')] } } });
      service.deps.apps.forget();
      const text = await make();
      await service.advance(minute);
      logged.length = 0;
      const answer = await send(text);
      const isOfEmail = reason === 'no-email' || reason === 'unverified-email';
      expectRefusal(answer, isOfEmail ? 'auth/email-required' : 'auth/invalid-credential');
      const claims = { aud: clients.web, iss: scenario.a.issuer, kid: 'first' };
      const details =
        reason === 'malformed'
          ? {}
          : reason === 'unsupported-algorithm'
            ? { ...claims, kid: undefined }
            : claims;
      const [entry, ...others] = (await service.auditEntries({ action: 'provider.token_refused' })).slice(-1);
      expect([entry, others]).toMatchObject([
        {
          actor: 'anonymous',
          target: 'provider:provider-a',
          uid: null,
          details: { reason, count: 1, ...JSON.parse(JSON.stringify(details)), ...more },
        },
        [],
      ]);
      const failed = (await service.auditEntries({ action: 'user.sign_in_failed' })).at(-1);
      expect(failed?.details).toMatchObject({ method: 'provider_a', token: reason, ...more });
      const line = logged
        .map((each) => JSON.parse(each))
        .find(({ msg }) => msg === 'an ID token was refused');
      expect(line).toMatchObject({ app_id: service.app.app.id, provider: 'provider-a', reason, ...more });
      if (text.length > 20) expect(JSON.stringify([entry, failed, line])).not.toContain(text.slice(-40));
      await scenario.set(settings);
      service.deps.apps.forget();
    },
  );

  test('is refused without a request to the provider where the token is not of it', async () => {
    const asked = scenario.a.callsTo('/keys').length;
    scenario.service.clock.advance(20 * minute);
    await send(await token({ claims: { iss: 'https://evil.example' }, header: { kid: 'unknown' } }));
    expect(scenario.a.callsTo('/keys').length).toBe(asked);
  });

  test('is recorded for a link and a reauthentication too', async () => {
    const { tokens } = await scenario.service.signUp();
    const body = { id_token: await token({ claims: { nonce: 'another' } }), nonce };
    const refusals = () => scenario.service.auditEntries({ action: 'provider.token_refused' });
    for (const call of [
      ['/me/identities/provider-a', body, 'identity.link_failed'],
      ['/auth/reauthenticate', { provider_a: body }, 'user.reauthentication_failed'],
    ] as const) {
      await scenario.service.advance(minute);
      const before = (await refusals()).length;
      const answer = await scenario.service.call('POST', call[0], {
        token: tokens.access_token,
        body: call[1],
      });
      expectRefusal(answer, 'auth/invalid-credential');
      expect((await refusals()).slice(before)).toMatchObject([{ details: { reason: 'wrong-nonce' } }]);
      const own = (await scenario.service.auditEntries({ action: call[2] })).at(-1);
      expect(own?.details).toMatchObject({ token: 'wrong-nonce', aud: clients.web });
    }
  });

  test('of a stranger who sends hundreds of tokens fills four entries a minute', async () => {
    await scenario.service.advance(minute);
    const before = (await scenario.service.auditEntries({ action: 'provider.token_refused' })).length;
    const kinds = [
      { aud: 'strange' },
      { nonce: 'another' },
      { sub: undefined },
      { iss: 'https://evil.example' },
      { exp: seconds() - 100, iat: seconds() - 200 },
      { nonce: undefined },
    ];
    for (let round = 0; round < 120; round += 1) await send(await token({ claims: kinds[round % 6] ?? {} }));
    const entries = (await scenario.service.auditEntries({ action: 'provider.token_refused' })).slice(before);
    const counts = entries.map(({ details }) => (details as { count: number }).count);
    expect([entries.length, counts.reduce((sum, count) => sum + count, 0)]).toEqual([4, 120]);
  });
});
