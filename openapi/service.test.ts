// What is made beside the documents, used against a running service as their readers use it.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '../examples/running-service.js';
import { items, send } from './postman-runner.js';

const cli = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');
const password = 'correct horse battery staple';
const folder = mkdtempSync(join(tmpdir(), 'foyer-workflows-'));
const file = join(folder, 'arazzo.json');
type Service = Awaited<ReturnType<typeof startService>>;
let service: Service;

beforeAll(async () => {
  service = await startService({ RATE_LIMITS: 'off' });
  writeFileSync(file, await (await fetch(`${service.baseUrl}/arazzo.json`)).text());
});

afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true });
});

test('Redocly Respect runs every workflow of the served file', async () => {
  const { appKey: app_key, secretKey: secret_key } = service;
  const { workflows } = JSON.parse(readFileSync(file, 'utf8')) as { workflows: { workflowId: string }[] };
  const ran = new Set<string>();
  const run = (names: string[], inputs: Record<string, string>) => {
    for (const name of names) ran.add(name);
    return respect(names, inputs);
  };

  const account = { app_key, email: 'ada@example.com', password };
  await run(['account', 'sign-in'], account);
  await run(['records', 'admin-users'], { ...account, secret_key });
  // Another email: a code would remove the password of an account whose email was never verified.
  const email = 'grace@example.com';
  const [sent] = await run(['send-email-code'], { app_key, email });
  const code_flow = String(sent?.executedSteps[0]?.response.headers['x-code-flow']);
  await run(['sign-in-with-email-code'], { app_key, email, code: await mailedCode(email), code_flow });

  expect([...ran].sort()).toEqual(workflows.map(({ workflowId }) => workflowId).sort());
});

const request = (call: string) => {
  const found = items.find(({ request: { method, url } }) => `${method} ${url.raw}` === call);
  if (!found) throw new Error(`the Postman collection has no ${call}`);
  return found;
};
const signUp = request('POST {{base_url}}/auth/sign-up');
const profile = request('GET {{base_url}}/me');

function variables() {
  const { baseUrl, appKey, secretKey } = service;
  return new Map([
    ['base_url', baseUrl],
    ['app_key', appKey],
    ['secret_key', secretKey],
  ]);
}

test('the Postman collection keeps the tokens of a sign-up and of a refresh, and sends the secret key to the admin API', async () => {
  const kept = variables();
  expect((await send(profile, kept)).status).toBe(401);
  expect((await send(signUp, kept, { email: 'postman@example.com' })).status).toBe(201);
  const first = new Map(kept);
  expect(JSON.parse((await send(profile, kept)).text).data.email).toBe('postman@example.com');

  expect((await send(request('POST {{base_url}}/auth/token/refresh'), kept)).status).toBe(200);
  expect(kept.get('refresh_token')).not.toBe(first.get('refresh_token'));
  expect((await send(profile, kept)).status).toBe(200);

  const users = request('GET {{base_url}}/admin/users');
  expect((await send(users, kept)).status).toBe(200);
  expect((await send(users, kept.set('secret_key', 'sk_other'))).status).toBe(401);
});

test('every request of the Postman collection has a credential that the service accepts, but for those of team members', async () => {
  const kept = variables();
  const answers = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    // Some requests end the session or delete the account.
    if ((await send(profile, kept)).status === 401)
      await send(signUp, kept, { email: `${index}@example.com` });
    const { status } = await send(item, kept);
    answers.set(`${item.request.method} ${item.request.url.raw.replace('{{base_url}}', '')}`, status);
  }
  const calls = [...answers.keys()];
  expect(calls.filter((call) => Number(answers.get(call)) >= 500)).toEqual([]);
  expect(calls.filter((call) => answers.get(call) === 401)).toEqual([
    // The code is in the body, and is an example, as is the state.
    'POST /auth/providers/finish',
    'GET /auth/providers/:provider/callback',
    // The ticket is in the body, and is an example.
    'POST /auth/second-factor',
    'POST /auth/second-factor/enroll',
    'POST /auth/second-factor/enroll/confirm',
    // The token of v1 is in the body, and is an example.
    'POST /auth/token/from-v1',
    'POST /admin/settings/test-mail',
    'GET /admin/keys',
    'POST /admin/keys',
    'DELETE /admin/keys/:id',
  ]);
});

type Ran = { workflowId: string; executedSteps: { response: { headers: Record<string, string> } }[] };

/** Fails if a workflow does not succeed, or if an answer differs from the document. */
async function respect(names: string[], inputs: Record<string, string>): Promise<Ran[]> {
  const report = join(folder, 'report.json');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...[cli, 'respect', file, '--json-output', report, '--no-secrets-masking'],
      ...names.flatMap((name) => ['--workflow', name]),
      ...Object.entries(inputs).flatMap(([name, value]) => ['--input', `${name}=${value}`]),
    ],
    { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  ).catch((error) => error as { stdout: string });
  const { files, status } = JSON.parse(readFileSync(report, 'utf8'));
  expect(status, stdout).toBe('success');
  const [{ executedWorkflows }] = Object.values(files) as [{ executedWorkflows: Ran[] }];
  expect(executedWorkflows.map(({ workflowId }) => workflowId)).toEqual(names);
  return executedWorkflows;
}

async function mailedCode(email: string): Promise<string> {
  const mailbox = `${service.mailboxUrl}&to=${encodeURIComponent(email)}`;
  const code = async () => {
    const answer = await fetch(mailbox, { headers: { Accept: 'application/json' } });
    const { data } = (await answer.json()) as { data: { items: { code: string | null }[] } };
    return data.items[0]?.code ?? '';
  };
  await expect.poll(code).toMatch(/^\d{6}$/);
  return code();
}
