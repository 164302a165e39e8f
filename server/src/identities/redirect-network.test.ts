// A sign-in by redirect whose provider is slow, or moves its name to a private IP address between two steps of the flow (DNS
// rebinding): nothing is sent there, no step waits longer than its time, and the user returns to the app.
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ssrfSafeFetch } from '../../engines/safe-fetch/index.js';
import { gitHub, gitHubClient, gitHubUser } from '../../test/github.js';
import {
  discoveryPath,
  json,
  type ProviderKey,
  providerKey,
  type Route,
} from '../../test/identity-provider.js';
import { contoso, providerScenario } from '../../test/provider-scenario.js';
import { redirectScenario, redirectUri } from '../../test/redirect-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';

/** Of the name of the providers, from now on. */
let address = '127.0.0.1';
const asked: string[] = [];
const network = ssrfSafeFetch({
  loopback: true,
  async resolve(hostname) {
    asked.push(hostname);
    return [{ address, family: address.includes(':') ? 6 : 4 }];
  },
});
const hub = await gitHub();
afterAll(async () => {
  await network.close();
  await hub.stop();
});
const scenario = shared(() => providerScenario({ overrides: { ssrfSafeFetch: network } }));
const redirect = redirectScenario(() => scenario);
const github = 'github';
/** The URL of a server by its name, which only `resolve` knows to be on this machine. */
const named = (origin: string) => origin.replace('127.0.0.1', 'localhost');

/** With a connection for each request, so that each looks up the name. */
const document: Route = (_call, res) => {
  const text = JSON.stringify(scenario.c.discoveryDocument());
  res.setHeader('Connection', 'close');
  json(res, 200, JSON.parse(text.replaceAll(scenario.c.issuer, named(scenario.c.issuer))));
};
const keys: Route = (_call, res) => {
  res.setHeader('Connection', 'close');
  json(res, 200, { keys: [key.publicJwk] });
};
let grants = 0;
const token: Route = async (_call, res) => {
  grants += 1;
  res.setHeader('Connection', 'close');
  const claims = { iss: named(scenario.c.issuer), sub: `person-${grants}`, nonce };
  json(res, 200, { id_token: await scenario.c.idToken({ claims, key }) });
};
let nonce = '';
/** Of the sign-in that has begun: known keys are in use while the provider is away. */
let key: ProviderKey;

beforeAll(() =>
  scenario.set({
    redirect_uris: [redirectUri],
    providers: {
      [contoso]: { ...scenario.contosoSettings, issuer: named(scenario.c.issuer) },
      [github]: {
        ...{ kind: 'github', name: 'GitHub', issuer: named(hub.origin), client_ids: [gitHubClient.id] },
        ...{ client_secret: gitHubClient.secret, trusts_email: false },
      },
    },
  }),
);
afterEach(() => {
  address = '127.0.0.1';
  for (const name of ['token', 'user', 'emails'] as const) hub.answer(name, null);
});

/** A service that has read neither endpoints nor keys; `steps` answer in place of those that are right. */
async function begin(steps: Partial<Record<'discovery' | 'token' | 'keys', Route>> = {}) {
  // The endpoints and keys of the earlier test are older than ten minutes.
  scenario.service.clock.advance(11 * 60_000);
  key = await providerKey(`key-${scenario.service.clock.now().getTime()}`, 'ES256');
  scenario.c.answer(discoveryPath, steps.discovery ?? document);
  scenario.c.answer('/keys', steps.keys ?? keys);
  scenario.c.answer('/token', steps.token ?? token);
  scenario.c.calls.length = 0;
  asked.length = 0;
  return redirect.authorize({});
}

async function goOn(url: string) {
  const { searchParams } = new URL(url);
  nonce = searchParams.get('nonce') ?? '';
  const returned = { state: searchParams.get('state') ?? '', code: 'a code', iss: named(scenario.c.issuer) };
  const { status, parameters } = await redirect.goTo(returned);
  expect(status).toBe(303);
  return parameters.get('error') ?? 'signed in';
}
const paths = () => scenario.c.calls.map(({ path }) => path);

test('a provider whose name stays where it is signs in, and each step looks it up', async () => {
  const { data } = await begin();
  expect(await goOn(data.url)).toBe('signed in');
  expect(paths()).toEqual([discoveryPath, '/token', discoveryPath, '/keys']);
  expect(asked).toEqual(Array(4).fill('localhost'));
});

/** Answers, and moves the name. */
const moving =
  (route: Route, to: string): Route =>
  async (call, res) => {
    address = to;
    await route(call, res);
  };

describe.each(['10.0.0.5', '169.254.169.254', '192.168.1.1', 'fd00::1', '::ffff:10.0.0.5'])(
  'a provider that moves to %s',
  (to) => {
    test('before the sign-in begins gets no request', async () => {
      address = to;
      expectRefusal(await begin(), 'request/unavailable');
      expect(paths()).toEqual([]);
    });

    test('before the code is exchanged gets neither the code nor the secret', async () => {
      const { data } = await begin({ discovery: moving(document, to) });
      expect(await goOn(data.url)).toBe('request/unavailable');
      expect(paths()).toEqual([discoveryPath]);
    });

    test('before the keys are read signs nobody in', async () => {
      const { data } = await begin({ token: moving(token, to) });
      expect(await goOn(data.url)).toBe('request/unavailable');
      expect(paths()).toEqual([discoveryPath, '/token']);
    });

    test('before the API of GitHub is asked gets no access token', async () => {
      const { data } = await redirect.authorize({}, { provider: github });
      const returned = hub.returned(data.url, gitHubUser(1));
      hub.answer('token', (_call, res) => {
        address = to;
        res.setHeader('Connection', 'close');
        json(res, 200, { access_token: 'gho_a' });
      });
      hub.calls.length = 0;
      const sent = { ...returned, iss: `${named(hub.origin)}/login/oauth` };
      const { parameters } = await redirect.goTo(sent, github);
      expect(parameters.get('error')).toBe('request/unavailable');
      expect(hub.calls.map(({ path }) => path)).toEqual(['/login/oauth/access_token']);
    });
  },
);

describe('a provider that redirects', () => {
  const elsewhere: Route = (_call, res) =>
    void res.writeHead(302, { Location: `${hub.origin}/stolen` }).end();

  test.each<[string, Parameters<typeof begin>[0], string]>([
    ['its token endpoint', { token: elsewhere }, 'auth/invalid-credential'],
    ['its keys', { keys: elsewhere }, 'request/unavailable'],
  ])('%s is not followed', async (_what, steps, error) => {
    hub.calls.length = 0;
    const { data } = await begin(steps);
    expect(await goOn(data.url)).toBe(error);
    expect(hub.calls).toEqual([]);
  });

  test('its discovery document is not followed', async () => {
    hub.calls.length = 0;
    expectRefusal(await begin({ discovery: elsewhere }), 'request/unavailable');
    expect(hub.calls).toEqual([]);
  });
});

describe('a provider that is slow', () => {
  /** Lets the time of the request pass that has arrived. */
  function slow(): Route {
    const requests: AbortController[] = [];
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      expect(milliseconds).toBe(5_000);
      requests.push(new AbortController());
      return (requests.at(-1) as AbortController).signal;
    });
    onTestFinished(() => timeout.mockRestore());
    return () => requests.at(-1)?.abort(new DOMException('too slow', 'TimeoutError'));
  }

  test('to answer for its endpoints is given up', async () => {
    expectRefusal(await begin({ discovery: slow() }), 'request/unavailable');
  });

  test.each(['token', 'keys'] as const)('to answer for its %s is given up', async (step) => {
    const { data } = await begin({ [step]: slow() });
    expect(await goOn(data.url)).toBe('request/unavailable');
  });

  test.each(['token', 'user', 'emails'] as const)('as GitHub, to answer for %s is given up', async (step) => {
    const { data } = await redirect.authorize({}, { provider: github });
    const returned = hub.returned(data.url, gitHubUser(2));
    hub.answer(step, slow());
    const sent = { ...returned, iss: `${named(hub.origin)}/login/oauth` };
    const { parameters } = await redirect.goTo(sent, github);
    expect(parameters.get('error')).toBe('request/unavailable');
  });
});
