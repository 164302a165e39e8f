// The fake service of `/testing` and the real one, as the steps of the comparison see them.
import { newCollection } from '../../server/test/data-scenario.js';
import { clients, type ProviderScenario } from '../../server/test/provider-scenario.js';
import { redirectScenario } from '../../server/test/redirect-scenario.js';
import type { Route } from '../src/generated/routes.js';
import type { Provider } from '../src/models.js';
import { fakeService } from '../src/testing/fake.js';

/** One of the two services. */
export interface World {
  baseUrl: string;
  appKey: string;
  fetch: typeof fetch;
  advance(ms: number): Promise<void> | void;
  code(email: string): Promise<string> | string;
  idToken(provider: Provider, email: string, nonce: string): Promise<string> | string;
  /** Signs a user in at the URL of a provider, and returns the code that the app gets. */
  codeFrom(url: string, email: string): Promise<string> | string;
  /** Makes a v1 token for a user with this password. */
  v1Token(email: string): Promise<string> | string;
  disable(email: string): Promise<void> | void;
}

export type Sent = {
  route: Route;
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  token?: string;
  headers?: Record<string, string>;
};
// biome-ignore lint/suspicious/noExplicitAny: steps reach into answers of every shape.
export type Got = { status: number; data: any; json: any; headers: Headers };
export type Call = (sent: Sent) => Promise<Got>;

/** Calls of a capability in one world; what a step returns is compared too. */
export type Steps = Record<string, (call: Call, world: World) => Promise<unknown>>;

export const ada = { email: 'ada@example.com', password: 'correct horse battery staple' };

export function fakeWorld(): World {
  const service = fakeService({
    collections: { notes: 'owner', posts: 'owner_public_read', values: 'shared', closed: 'admin' },
    config: { color: 'green', cards: [{ title: 'A' }], enabled: true },
    providers: { contoso: { name: 'Contoso' } },
  });
  let v1Tokens = 0;
  return {
    ...service.options,
    advance: service.advance,
    code: service.code,
    // Provider B is asked for a token with the hash.
    idToken: (provider, email, nonce) =>
      service.idToken(provider, {
        email,
        nonce: provider === 'provider-b' ? 'a nonce of the client' : nonce,
      }),
    codeFrom: (url, email) => codeIn(service.returnFromProvider(url, { email, subject: `sub-${email}` })),
    v1Token(email) {
      const token = String(++v1Tokens).padStart(64, '0');
      service.addV1Token(token, email);
      return token;
    },
    disable: (email) => service.updateUser(email, { disabled: true }),
  };
}

export async function realWorld(scenario: ProviderScenario): Promise<World> {
  const { service, a, b, c } = scenario;
  const token = service.app.secretKey;
  const redirects = redirectScenario(() => scenario);
  await redirects.enable();
  await scenario.set({ push: { web_push: { subject: 'mailto:push@example.com' } } });
  await newCollection(service, { name: 'notes', access_mode: 'owner' });
  await newCollection(service, { name: 'posts', access_mode: 'owner_public_read' });
  await newCollection(service, { name: 'values', access_mode: 'shared' });
  await newCollection(service, { name: 'closed' });
  const config = await service.call('GET', '/admin/config', { token });
  const parameters = {
    color: { type: 'string', value: 'green' },
    cards: { type: 'json', value: [{ title: 'A' }] },
    enabled: { type: 'boolean', value: true },
  };
  const headers = { 'if-match': config.headers.get('etag')! };
  await service.call('PUT', '/admin/config', { token, headers, body: { parameters } });
  return {
    baseUrl: `${service.url}/api/v2`,
    appKey: service.app.app.appKey,
    fetch,
    advance: (ms) => service.advance(ms),
    code: async (email) => String((await service.mailbox(email)).find(({ code }) => code)?.code),
    idToken: (provider, email, nonce) => {
      const claims = { sub: `sub-${email}`, email, email_verified: true, nonce };
      if (provider === 'provider-b') return b.idToken({ claims: { ...claims, aud: clients.bundle } });
      return (provider === 'provider-a' ? a : c).idToken({ claims });
    },
    async codeFrom(url, email) {
      const returned = redirects.returned({ url, verifier: '' }, { claims: { sub: `sub-${email}`, email } });
      return codeIn((await redirects.goTo(returned)).location ?? '');
    },
    async v1Token(email) {
      const body = { email, password: ada.password };
      return (await service.call<{ token: string }>('POST', '/login', { version: 'v1', body })).data.token;
    },
    async disable(email) {
      const path = `/admin/users?email=${encodeURIComponent(email)}`;
      const { data } = await service.call<{ items: { uid: string }[] }>('GET', path, { token });
      await service.call('PATCH', `/admin/users/${data.items[0]!.uid}`, { token, body: { disabled: true } });
    },
  };
}

const codeIn = (url: string) => new URL(url).searchParams.get('code') ?? '';

export async function send({ baseUrl, appKey, fetch: request }: World, sent: Sent): Promise<Got> {
  const [method, template] = sent.route.split(' ') as [string, string];
  const path = template.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(sent.params?.[name] ?? ''),
  );
  const headers: Record<string, string> = { 'x-app-key': appKey, ...sent.headers };
  if (sent.token) headers.authorization = `Bearer ${sent.token}`;
  if (sent.body !== undefined) headers['content-type'] = 'application/json';
  const text = typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body);
  const body = sent.body === undefined ? null : text;
  const response = await request(`${baseUrl}${path}${sent.query ?? ''}`, { method, headers, body });
  const answer = await response.text();
  const json = answer === '' ? undefined : JSON.parse(answer);
  return { status: response.status, data: json?.data, json, headers: response.headers };
}
