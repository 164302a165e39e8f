// directus by its own command line. Its pauses of half a second and more at each sign-in and sign-up are switched off.
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';

const { DATABASE_URL, PORT, SECRET } = process.env;
const origin = `http://127.0.0.1:${PORT}`;
const admin = { email: 'admin@example.com', password: SECRET };
const cli = fileURLToPath(new URL('./cli.js', import.meta.resolve('directus/package.json')));
const env = {
  ...process.env,
  HOST: '127.0.0.1',
  PUBLIC_URL: origin,
  KEY: randomUUID(),
  DB_CLIENT: 'pg',
  DB_CONNECTION_STRING: DATABASE_URL,
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  HASH_MEMORY_COST: '19456',
  HASH_TIME_COST: '2',
  HASH_PARALLELISM: '1',
  LOGIN_STALL_TIME: '0',
  REGISTER_STALL_TIME: '0',
  RATE_LIMITER_REGISTRATION_ENABLED: 'false',
  LOG_LEVEL: 'fatal',
  TELEMETRY: 'false',
};
execFileSync(process.execPath, [cli, 'bootstrap'], { env, stdio: 'ignore' });
const service = spawn(process.execPath, [cli, 'start'], { env, stdio: 'ignore' });
process.once('SIGTERM', () => service.kill('SIGKILL'));
service.once('exit', () => process.exit());
process.once('disconnect', () => service.kill('SIGKILL'));

while (
  !(await fetch(`${origin}/server/ping`).then(
    ({ ok }) => ok,
    () => false,
  ))
) {
  await new Promise((resolve) => setTimeout(resolve, 100));
}
// Anybody may sign up, without a code from an email, and read users.
const headers = { 'Content-Type': 'application/json' };
const { access_token } = await send('POST', '/auth/login', admin);
headers.Authorization = `Bearer ${access_token}`;
const { id: policy } = await send('POST', '/policies', { name: 'users', app_access: false });
const { id: role } = await send('POST', '/roles', { name: 'users', policies: [{ policy }] });
// A rule for the own user alone needs a licence.
await send('POST', '/permissions', { policy, collection: 'directus_users', action: 'read', fields: ['*'] });
await send('PATCH', '/settings', {
  ...{ public_registration: true, public_registration_verify_email: false, public_registration_role: role },
});
process.send({ pid: service.pid });

async function send(method, path, body) {
  const response = await fetch(`${origin}${path}`, { method, headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`directus answered ${response.status}: ${text}`);
  return JSON.parse(text).data;
}
