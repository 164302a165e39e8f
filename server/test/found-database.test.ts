// The service on a database as operators have them: in Turkish, with a schema that is named like its role, and with settings of the
// role that other applications asked for. Skipped without DATABASE_URL.
import { openDatabase } from '@foyer/prisma';
import { findDatabase } from '@foyer/prisma/testing';
import { describe, expect, test } from 'vitest';
import { testService } from './harness.js';

describe.skipIf(!process.env.DATABASE_URL)(
  'on a database of PostgreSQL that is set up for something else',
  () => {
    test('users sign up, change their data at once, and stay signed in over a restart', async () => {
      const turkish = "LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LOCALE 'C.UTF-8' TEMPLATE template0";
      const found = await findDatabase(process.env.DATABASE_URL as string, turkish);
      await found.admin(
        "ALTER ROLE :role SET default_transaction_isolation = 'serializable'",
        'ALTER ROLE :role SET lock_timeout = 50',
        "ALTER ROLE :role SET bytea_output = 'escape'",
        'ALTER ROLE :role CONNECTION LIMIT 4',
      );
      const open = () => openDatabase({ databaseUrl: found.databaseUrl });
      const first = await testService({ database: await open() });
      const user = await first.signUp({ email: 'INFO@istanbul.example' });
      await found.admin('CREATE SCHEMA :role AUTHORIZATION :role');
      const token = user.tokens.access_token;
      const changes = Array.from({ length: 20 }, (_, place) =>
        first.call('PATCH', '/me', { token, body: { first_name: `Irmak ${place}` } }),
      );
      expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(Array(20).fill(200));
      expect((await first.signIn({ ...user, email: 'info@ISTANBUL.example' })).status).toBe(200);
      await first.stop();

      const second = await testService({ database: await open(), firstApp: first.app });
      expect((await second.refresh(user.tokens.refresh_token)).status).toBe(200);
      await second.stop();
      const tables = await found.admin("SELECT tablename FROM pg_tables WHERE schemaname = ':role'");
      await found.remove();
      expect(tables).toEqual([]);
    });
  },
);
