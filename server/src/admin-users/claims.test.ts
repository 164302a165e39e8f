// Custom claims over HTTP: who writes them, what they may contain, and when they are in a token.
import { describe, expect, test } from 'vitest';
import { backendScenario } from '../../test/backend-scenario.js';
import { newEmail } from '../../test/code-scenario.js';
import { claimsOf, testService } from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';

const service = shared(() => testService());

const { admin, make, eventsOf, entriesOf } = backendScenario(() => service);

describe('custom claims', () => {
  test('appear in the token after the next refresh, and are removed by {}', async () => {
    const user = await service.signUp();
    const claims = { role: 'admin', Ünïcode: ['x'] };
    const set = await admin('PUT', `/${user.uid}/claims`, { claims });
    expect(set.data.claims).toEqual(claims);
    expect(claimsOf(user.tokens.access_token).claims).toBeUndefined();
    const second = (await service.refresh(user.tokens.refresh_token)).data;
    expect(claimsOf(second.access_token).claims).toEqual(claims);
    expect((await admin('PUT', `/${user.uid}/claims`, { claims: { level: 2 } })).data.claims).toEqual({
      level: 2,
    });
    await admin('PUT', `/${user.uid}/claims`, { claims: {} });
    const third = (await service.refresh(second.refresh_token)).data;
    expect(claimsOf(third.access_token)).not.toHaveProperty('claims');
    expect((await eventsOf(user.uid)).filter(([type]) => type === 'user.updated')).toHaveLength(3);
    expect((await entriesOf(user.uid)).map(([action]) => action)).toEqual(Array(3).fill('user.claims_set'));
  });

  test('that are too large or have a reserved name are refused, and the previous ones remain', async () => {
    const { uid } = await make({ claims: { role: 'x' } });
    const put = (claims: object) => admin('PUT', `/${uid}/claims`, { claims });
    expectRefusal(await put({ a: 'x'.repeat(993) }), 'admin/claims-too-large', null);
    for (const name of ['sub', 'email_verified']) {
      const fields = { [`claims.${name}`]: expect.any(Array) };
      expectRefusal(await put({ role: 'y', [name]: 1 }), 'admin/reserved-claim', fields);
    }
    expect((await admin('GET', `/${uid}`)).data.claims).toEqual({ role: 'x' });
    expect((await put({ a: 'x'.repeat(992) })).status).toBe(200);
  });

  test('named __proto__ are refused by every endpoint that writes claims', async () => {
    const { uid } = await make({ claims: { role: 'x' } });
    const claims = '{"role":"y","__proto__":{"admin":true}}';
    const field = { 'claims.__proto__': expect.any(Array) };
    expectRefusal(
      await admin('PUT', `/${uid}/claims`, `{"claims":${claims}}`),
      'request/validation-failed',
      field,
    );
    const made = await admin('POST', '', `{"email":"${newEmail()}","claims":${claims}}`);
    expectRefusal(made, 'request/validation-failed', field);
    const imported = await admin<{ created: number; failed: object[] }>(
      'POST',
      '/import',
      `{"users":[{"email":"${newEmail()}","claims":${claims}}]}`,
    );
    expect(imported.data).toMatchObject({ created: 0, failed: [{ code: 'request/validation-failed' }] });
    expect((await admin('GET', `/${uid}`)).data.claims).toEqual({ role: 'x' });
  });

  test('accept the largest safe integer, and refuse the next one rather than round it', async () => {
    const { uid } = await make();
    const exact = { levels: [{ score: Number.MAX_SAFE_INTEGER }] };
    expect((await admin('PUT', `/${uid}/claims`, { claims: exact })).data.claims).toEqual(exact);
    const refused = await admin('PUT', `/${uid}/claims`, { claims: { levels: [{ score: 2 ** 53 }] } });
    expectRefusal(refused, 'request/validation-failed', { claims: expect.any(Array) });
    expect((await admin('GET', `/${uid}`)).data.claims).toEqual(exact);
  });
});
