// Every endpoint for an app's backend has one method, every method calls its endpoint only, and creating calls can be
// retried.
import { contract, metadataOf } from '@foyer/contract';
import { expect, test } from 'vitest';
import { type Admin, createAdmin } from '../src/admin/index.js';
import type { AdminRoute } from '../src/generated/routes.js';
import type { Equal, Holds, Mismatches } from './contract-shapes.js';
import { movingClock, stopClock } from './harness.js';

const id = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';

/** The compiler requires one entry for every route of the contract, and accepts no other. */
const calls = {
  'POST /admin/users': ({ users }) => users.create({ email: 'ada@example.com' }),
  'GET /admin/users': ({ users }) => users.list({ q: 'ada' }),
  'POST /admin/users/import': ({ users }) => users.import([{ email: 'ada@example.com' }]),
  'GET /admin/users/:uid': ({ users }) => users.get(id),
  'PATCH /admin/users/:uid': ({ users }) => users.update(id, { disabled: true }),
  'DELETE /admin/users/:uid': ({ users }) => users.delete(id),
  'PUT /admin/users/:uid/claims': ({ users }) => users.setClaims(id, {}),
  'POST /admin/users/:uid/revoke-sessions': ({ users }) => users.revokeSessions(id),
  'GET /admin/users/:uid/sessions': ({ users }) => users.sessions(id),
  'DELETE /admin/users/:uid/sessions/:id': ({ users }) => users.endSession(id, id),
  'GET /admin/users/:uid/identities': ({ users }) => users.identities(id),
  'GET /admin/users/:uid/sign-in-state': ({ support }) => support.signInState(id),
  'POST /admin/users/:uid/lift-limits': ({ support }) => support.liftLimits(id),
  'POST /admin/users/:uid/send-code': ({ support }) => support.sendCode(id, 'sign_in'),
  'POST /admin/users/:uid/notes': ({ support }) => support.addNote(id, 'Moved to a new phone.'),
  'GET /admin/users/:uid/notes': ({ support }) => support.notes(id),
  'POST /admin/users/:uid/export': ({ users }) => users.requestExport(id),
  'GET /admin/users/:uid/export': ({ users }) => users.export(id),
  'GET /admin/users/:uid/devices': ({ users }) => users.devices(id),
  'POST /admin/push/send': ({ push }) => push.send({ all: true, data: { order: '1' } }),
  'GET /admin/push/messages': ({ push }) => push.messages(),
  'GET /admin/push/messages/:id': ({ push }) => push.message(id),
  'POST /admin/push/messages/:id/cancel': ({ push }) => push.cancel(id),
  'GET /admin/push/topics': ({ push }) => push.topics({ prefix: 'new' }),
  'GET /admin/push/messages/:id/receipts': ({ push }) => push.receipts(id),
  'GET /admin/files': ({ files }) => files.list({ visibility: 'public' }),
  'GET /admin/users/:uid/loyalty': ({ loyalty }) => loyalty.status(id),
  'POST /admin/users/:uid/loyalty/entries': ({ loyalty }) => loyalty.add(id, { points: 1, description: 'x' }),
  'GET /admin/users/:uid/loyalty/entries': ({ loyalty }) => loyalty.entries(id),
  'GET /admin/config': ({ config }) => config.get(),
  'PUT /admin/config': ({ config }) => config.replace({}, { ifMatch: '"1-a"' }),
  'GET /admin/config/versions': ({ config }) => config.versions(),
  'GET /admin/config/versions/:version': ({ config }) => config.version(6),
  'POST /admin/config/rollback': ({ config }) => config.rollback(6),
  'GET /admin/settings': ({ settings }) => settings.get(),
  'PATCH /admin/settings': ({ settings }) => settings.update({ sign_up: 'closed' }),
  'GET /admin/app-files': ({ appFiles }) => appFiles.read(),
  'PUT /admin/app-files': ({ appFiles }) =>
    appFiles.apply({ version: '"a"', settings: { sign_up: 'closed' } }),
  'POST /admin/settings/preview-mail': ({ settings }) => settings.previewMail({ purpose: 'sign_in' }),
  'POST /admin/settings/check-provider': ({ settings }) => settings.checkProvider('provider-b'),
  'GET /admin/stats': ({ stats }) => stats.daily({ from: '2026-01-01' }),
  'GET /admin/migration': ({ migration }) => migration.get(),
  'POST /admin/tokens/verify': ({ tokens }) => tokens.verify('eyJ…'),
  'GET /admin/audit-log': ({ auditLog }) => auditLog.list(),
  'GET /admin/webhooks': ({ webhooks }) => webhooks.list(),
  'POST /admin/webhooks': ({ webhooks }) => webhooks.create({ url: 'https://backend.example.com' }),
  'GET /admin/webhooks/:id': ({ webhooks }) => webhooks.get(id),
  'PATCH /admin/webhooks/:id': ({ webhooks }) => webhooks.update(id, { enabled: false }),
  'DELETE /admin/webhooks/:id': ({ webhooks }) => webhooks.delete(id),
  'POST /admin/webhooks/:id/rotate-secret': ({ webhooks }) => webhooks.rotateSecret(id),
  'POST /admin/webhooks/:id/test': ({ webhooks }) => webhooks.test(id),
  'GET /admin/webhooks/:id/deliveries': ({ webhooks }) => webhooks.deliveries(id),
  'GET /admin/webhooks/:id/deliveries/:delivery_id': ({ webhooks }) => webhooks.delivery(id, id),
  'POST /admin/webhooks/:id/deliveries/:delivery_id/retry': ({ webhooks }) => webhooks.retryDelivery(id, id),
  'POST /admin/webhooks/:id/replay': ({ webhooks }) => webhooks.replay(id, { since: '2026-01-02T00:00:00Z' }),
  'GET /admin/users/:uid/factors': ({ users }) => users.factors(id),
  'DELETE /admin/users/:uid/factors': ({ users }) => users.removeFactors(id),
  'GET /admin/users/:uid/passkeys': ({ users }) => users.passkeys(id),
  'DELETE /admin/users/:uid/passkeys/:id': ({ users }) => users.removePasskey(id, id),
  'POST /admin/settings/check-passkeys': ({ settings }) => settings.checkPasskeys(),
  'GET /admin/events': ({ events }) => events.list(),
  'GET /admin/collections': ({ collections }) => collections.list(),
  'POST /admin/collections': ({ collections }) => collections.create({ name: 'notes' }),
  'GET /admin/collections/:name': ({ collections }) => collections.get('notes'),
  'PATCH /admin/collections/:name': ({ collections }) =>
    collections.update('notes', { access_mode: 'owner' }),
  'DELETE /admin/collections/:name': ({ collections }) => collections.delete('notes'),
} satisfies Record<AdminRoute, (admin: Admin) => PromiseLike<unknown>>;

/** Every call resolves to the contract's answer; the current config is returned with its `ETag`. */
type _Answers = Holds<
  Equal<Mismatches<typeof calls>, 'GET /admin/config' | 'PUT /admin/config' | 'POST /admin/config/rollback'>
>;

const routes = Object.values(contract)
  .flatMap((group) => Object.values(group))
  .filter((route) => metadataOf(route).auth === 'admin');

/** An admin client whose requests are recorded and answered with `status`. */
function watched(status: number, body: unknown) {
  const requests: { route: string; headers: Headers }[] = [];
  const admin = createAdmin({
    baseUrl: 'https://accounts.example.com/api/v2',
    appKey: 'pk_test',
    secretKey: 'sk_test',
    fetch: (async (input: string, init: RequestInit) => {
      const { pathname } = new URL(input);
      requests.push({ route: `${init.method} ${pathname}`, headers: new Headers(init.headers) });
      return Response.json(body, { status, headers: { 'Retry-After': '0' } });
    }) as typeof fetch,
  });
  return { admin, requests };
}

test.each(Object.entries(calls))('%s is called by its method, with both keys', async (route, call) => {
  const { admin, requests } = watched(200, { data: { items: [], next_cursor: null } });
  await call(admin);
  const template = new RegExp(`^${route.replace(' ', ' /api/v2').replace(/:\w+/g, '[\\w-]+')}$`);
  expect(requests).toHaveLength(1);
  const [{ route: reached, headers } = expect.fail()] = requests;
  expect(reached).toMatch(template);
  expect(headers.get('X-App-Key')).toBe('pk_test');
  expect(headers.get('Authorization')).toBe('Bearer sk_test');
  expect(reached).not.toMatch(/sk_/);
});

test.each(
  routes.filter(({ method }) => method === 'POST').map((route) => [`POST ${route.path}`, route] as const),
)(
  '%s sends an Idempotency-Key where the service accepts one, and retries with the same',
  async (name, route) => {
    const { admin, requests } = watched(503, {
      error: { code: 'request/unavailable', message: '', fields: {} },
    });
    stopClock();
    const call = Promise.resolve(calls[name as AdminRoute](admin));
    await expect(movingClock(call)).rejects.toMatchObject({ code: 'request/unavailable' });
    const keys = new Set(requests.map(({ headers }) => headers.get('Idempotency-Key')));
    expect(requests).toHaveLength(3);
    expect(keys.size).toBe(1);
    // Read-only POST requests are retried without a key.
    const { idempotencyKey = false, audit } = metadataOf(route);
    expect(keys.has(null)).toBe(!idempotencyKey);
    if (!idempotencyKey) expect(audit).toBeNull();
  },
);
