// better-auth on express, as its documentation shows, with the password hash of Foyer instead of its own scrypt.
import { hash, verify } from '@node-rs/argon2';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { bearer } from 'better-auth/plugins';
import express from 'express';
import pg from 'pg';

const { DATABASE_URL: connectionString, PORT: port, SECRET: secret } = process.env;
const argon2id = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const options = {
  baseURL: `http://127.0.0.1:${port}`,
  secret,
  database: new pg.Pool({ connectionString, max: 10 }),
  emailAndPassword: {
    enabled: true,
    password: {
      hash: (password) => hash(password, argon2id),
      verify: (given) => verify(given.hash, given.password),
    },
  },
  // Each call of get-session extends the session, unless the call forbids it.
  session: { updateAge: 0 },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  plugins: [bearer()],
};
await (await getMigrations(options)).runMigrations();

const app = express();
app.all('/api/auth/*splat', toNodeHandler(betterAuth(options)));
app.listen(Number(port), '127.0.0.1', () => process.send({ pid: process.pid }));
process.once('disconnect', () => process.exit());
