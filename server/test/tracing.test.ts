// Traces of the process as shipped, received by a small OTLP receiver; process.test.ts tests that one without them loads no
// OpenTelemetry.
import { text } from 'node:stream/consumers';
import type { TestPlace } from '@foyer/prisma/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { NewApp } from '../src/apps/create-app.js';
import { reportLoaded, startFoyer } from './foyer-process.js';
import { freePort } from './free-port.js';
import { testEncryptionKey } from './harness.js';
import { localServer } from './local-server.js';
import { mailServer } from './mail-server.js';
import { placeWithApp } from './place-with-app.js';
import { startReceiver } from './webhook-scenario.js';

type Attribute = { key: string; value: { stringValue?: string; intValue?: number | string } };
type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attribute[];
  status: { code?: number };
};
type OtlpRequest = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
};

/** The kinds of spans in the OTLP document. */
const [server, client, failed] = [2, 3, 2];

let place: TestPlace;
let app: NewApp;
beforeAll(async () => {
  ({ place, app } = await placeWithApp());
});
afterAll(() => place.remove());

async function startTraced(env: Record<string, string>) {
  const PORT = String(await freePort());
  const foyer = await startFoyer({
    ...place.env,
    PORT,
    HOST: '127.0.0.1',
    ENCRYPTION_KEYS: testEncryptionKey,
    LOG_LEVEL: 'error',
    ...env,
  });
  onTestFinished(async () => void (await foyer.kill('SIGKILL')));
  const call = async (
    path: string,
    {
      method = 'POST',
      body,
      headers,
    }: { method?: string; body?: object; headers?: Record<string, string> } = {},
  ) => {
    const response = await fetch(`http://127.0.0.1:${PORT}/api/v2${path}`, {
      method,
      headers: { 'x-app-key': app.app.appKey, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, data: JSON.parse((await response.text()) || '{}').data };
  };
  return { foyer, call };
}

async function otlpReceiver() {
  const requests: { path: string; authorization: string | undefined; body: string }[] = [];
  let mode: 'answers' | 'closes' | 'hangs' = 'answers';
  const { origin, stop } = await localServer(async (req, res) => {
    const { authorization } = req.headers;
    requests.push({ path: req.url ?? '', authorization, body: await text(req) });
    if (mode === 'closes') res.destroy();
    if (mode !== 'answers') return;
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const spans = () =>
    requests.flatMap(({ body }) =>
      (JSON.parse(body) as OtlpRequest).resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap((scope) => scope.spans),
      ),
    );
  const become = (next: typeof mode) => {
    mode = next;
  };
  return { origin, stop, requests, spans, become };
}

const attributesOf = (span: OtlpSpan | undefined) =>
  Object.fromEntries(
    (span?.attributes ?? []).map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );

test('requests, statements, mails and webhooks are exported as spans, without any value, and a stop sends the last', async () => {
  const collector = await otlpReceiver();
  const receiver = await startReceiver();
  const mail = await mailServer();
  const { foyer, call } = await startTraced({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.origin}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
    OTEL_SERVICE_NAME: 'accounts',
    NODE_OPTIONS: reportLoaded('@opentelemetry'),
    OUTBOUND_LOOPBACK: 'on',
    SMTP_URL: mail.url,
    MAIL_FROM: 'accounts@example.com',
  });
  const asBackend = { authorization: `Bearer ${app.secretKey}` };
  const webhook = await call('/admin/webhooks', { headers: asBackend, body: { url: receiver.url } });
  expect(webhook.status).toBe(201);
  const [traceId, callerId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  const secrets = { email: 'traced@example.com', password: 'correct horse battery staple' };
  const headers = { traceparent: `00-${traceId}-${callerId}-01` };
  const signUp = await call('/auth/sign-up', { body: secrets, headers });
  expect(signUp.status).toBe(201);
  await call('/auth/email-code/send', { body: { email: secrets.email } });
  await expect.poll(() => mail.received.length, { timeout: 60_000 }).toBeGreaterThan(0);
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBeGreaterThan(0);
  expect(await foyer.kill('SIGTERM')).toBe(0);
  // The control of the test that a process without an endpoint loads none.
  expect(Number(/loaded (\d+)/.exec(foyer.stderr())?.[1])).toBeGreaterThan(10);

  const spans = collector.spans();
  expect(collector.requests[0]).toMatchObject({
    path: '/v1/traces',
    authorization: 'Bearer of-the-collector',
    body: expect.stringContaining('{"key":"service.name","value":{"stringValue":"accounts"}}'),
  });
  const request = spans.find(({ name }) => name === 'POST /auth/sign-up');
  expect(request).toMatchObject({ traceId, parentSpanId: callerId, kind: server });
  expect(attributesOf(request)).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/auth/sign-up',
    'http.response.status_code': 201,
    'foyer.app_id': app.app.id,
  });
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
  expect(statements.map(({ name }) => name)).toContain('INSERT users');
  for (const statement of statements) {
    expect(statement).toMatchObject({ traceId, kind: client });
    expect(attributesOf(statement)).toMatchObject({ 'db.system.name': 'postgresql' });
  }
  const tracesOf = (name: string) => spans.flatMap((span) => (span.name === name ? [span.traceId] : []));
  // The queue and the webhooks serve the requests of all clients.
  const ofRequests = new Set(spans.flatMap((span) => (span.kind === server ? [span.traceId] : [])));
  for (const name of ['POST webhook', 'send mail']) {
    expect(tracesOf(name)).not.toEqual([]);
    for (const trace of tracesOf(name)) expect(ofRequests).not.toContain(trace);
  }
  const exported = collector.requests.map(({ body }) => body).join();
  const { access_token, refresh_token, user } = signUp.data;
  for (const secret of [
    secrets.email,
    secrets.password,
    access_token,
    refresh_token,
    user.uid,
    app.secretKey,
  ])
    expect(exported).not.toContain(secret);
  await Promise.all([collector.stop(), receiver.stop(), mail.down()]);
});

test('a failed request has a failed span, and a collector that closes connections, or never answers, changes no answer and delays a stop for less time than an export may take', async () => {
  const collector = await otlpReceiver();
  const { foyer, call } = await startTraced({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
    // Milliseconds, not five seconds.
    OTEL_BSP_SCHEDULE_DELAY: '100',
    BASE_URL: 'https://accounts.example.com',
  });
  // Neither SMTP_URL nor the development mailbox: the mail cannot be sent. A traceparent that is none starts a trace.
  const refused = await call('/auth/email-code/send', {
    body: { email: 'a@example.com' },
    headers: { traceparent: '00-none-01' },
  });
  expect(refused.status).toBe(503);
  const span = () => collector.spans().find(({ name }) => name === 'POST /auth/email-code/send');
  await expect.poll(() => span()?.status.code, { timeout: 60_000 }).toBe(failed);
  for (const mode of ['closes', 'hangs'] as const) {
    collector.become(mode);
    const before = collector.requests.length;
    expect((await call('/config', { method: 'GET' })).status).toBe(200);
    if (mode === 'closes') await expect.poll(() => collector.requests.length).toBeGreaterThan(before);
  }
  const start = performance.now();
  expect(await foyer.kill('SIGTERM')).toBe(0);
  // An export may take ten seconds.
  expect(performance.now() - start).toBeLessThan(6_000);
  await collector.stop();
});
