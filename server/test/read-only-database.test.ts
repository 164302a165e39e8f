// What the service answers while its database is read-only, as a standby or a primary with a full disk is.
import { openDatabase } from '@foyer/prisma';
import { createTestPlace } from '@foyer/prisma/testing';
import { describe, expect, test } from 'vitest';
import { type Answer, testService } from './harness.js';
import { expectRefusal } from './refusal.js';

describe.skipIf(!process.env.DATABASE_URL)('on PostgreSQL', () => {
  test('a read-only database is not ready, every write answers 503, and the service recovers by itself', async () => {
    const place = await createTestPlace();
    let passed = 0;
    const service = await testService({
      // One connection, so that the session which is made read-only is the one that is used.
      database: await openDatabase({ ...place, connections: 1 }),
      overrides: { elapsed: () => passed },
    });
    const ready = async (): Promise<Answer> => {
      passed += 1_000;
      const response = await fetch(`${service.url}/readyz`);
      const text = await response.text();
      const json = JSON.parse(text);
      const { status, headers } = response;
      return { status, headers, text, json, data: json.data, code: json.error?.code };
    };
    const user = await service.signUp();
    const token = user.tokens.access_token;
    const writes = [
      () =>
        service.call('POST', '/auth/sign-up', {
          body: { email: 'new@example.com', password: 'long enough' },
        }),
      () => service.signIn(user),
      () => service.refresh(user.tokens.refresh_token),
      () => service.call('PATCH', '/me', { token, body: { first_name: 'Ada' } }),
      () => service.call('POST', '/auth/sign-out-all', { token }),
    ];
    expect((await ready()).status).toBe(200);
    for (const write of writes) {
      await service.database.prisma.$executeRaw`SET default_transaction_read_only = on`;
      expectRefusal(await ready(), 'request/unavailable');
      expectRefusal(await write(), 'request/unavailable');
      expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
      // The write has closed the connection, and the next one accepts writes.
      expect((await ready()).status).toBe(200);
    }
    expect((await service.refresh(user.tokens.refresh_token)).status).toBe(200);
    await service.stop();
    await place.remove();
  });
});
