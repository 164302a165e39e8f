import {
  contract,
  type ErrorCode,
  ErrorEnvelope,
  errorCatalogue,
  errorsOf,
  limits,
  metadataOf,
  v1Contract,
} from '@foyer/contract';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import {
  type Answer,
  answerOf,
  committed,
  document,
  documented,
  type Json,
  type Operation,
  operations,
} from './committed-v2.js';
import { documents } from './generator/documents.js';
import { connectionErrors } from './generator/error-answers.js';
import {
  bodyOf,
  bodyTypeOf,
  headersOf,
  keysOf,
  operationIdOf,
  operationsOf,
  startsSession,
} from './generator/routes.js';
import { introduction } from './generator/v2-introduction.js';

// Another program's part: the browser's, off-the-shelf middleware's, or an option of the SDK's client.
const withoutSdkSample = [
  ...['v1Exchange.exchange', 'tokens.discovery', 'fileBytes.read', 'signIn.redirectCallback'],
  'signIn.redirectFormCallback',
];
/** The calls that only the dashboard makes, which has no SDK of its own. */
const ofDashboard = (route: Parameters<typeof metadataOf>[0]) =>
  metadataOf(route).auth === 'member' || metadataOf(route).auth.startsWith('console');

const beforeCounting: string[] = [...connectionErrors, 'request/invalid-app-key'];

function codesOf(answer: Answer): string[] {
  type Narrowed = { properties: { error: { allOf: [Json, { properties: { code: { enum: string[] } } }] } } };
  const schema = answer.content?.['application/json']?.schema as unknown as Narrowed;
  return schema.properties.error.allOf[1].properties.code.enum;
}

test('the committed v2.json is what the generator makes of the contract', () => {
  expect(committed).toBe(documents()['v2.json']);
});

test('the document has every route of the contract and no other', () => {
  const documents = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const names = documents.map((operation) => operation['x-operation']);
  expect([...names].sort()).toEqual(operations.map(({ id }) => id).sort());
  const ids = documents.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(names.length);
  expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]+$/.test(id))).toEqual([]);
});

test('no published operation id disappears: generated clients name their functions after them', () => {
  const published = [
    'signInSignUp',
    'signInWithPassword',
    'sessionsRefresh',
    'sessionsSignOut',
    'sessionsSignOutAll',
    'sessionsList',
    'sessionsEnd',
    'profileGet',
    'profileUpdate',
    'tokensKeySet',
    'tokensDiscovery',
  ];
  const ids = operations.map(({ id }) => operationIdOf(id));
  expect(ids).toEqual(expect.arrayContaining(published));
});

test('the table of v1 and v2 has every call of v1, with what is different', () => {
  const [, section = ''] = /\n# Moving from v1\n([\s\S]*?)\n# /.exec(introduction) ?? [];
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  const calls = cells.flatMap(([, v1 = '']) => [...v1.matchAll(/`([^`]+)`/g)].map((match) => match[1]));
  expect(calls).toEqual(operationsOf(v1Contract).map(({ route }) => `${route.method} ${route.path}`));
  expect(cells.map(([, , , difference]) => difference)).toEqual([
    'signs in at once; names are optional; no `password_confirmation`',
    'an access token and a refresh token instead of one token',
    'profile, loyalty status and app content are three calls',
    '',
    'no `password_confirmation`; a reset ends every session',
    'needs a recent sign-in',
  ]);
  expect(section).toContain('**loses the password**');
});

test('every group of the contract is a tag with a description', () => {
  expect(document.tags.map(({ name }) => name)).toEqual(Object.keys(contract));
  for (const { description } of document.tags) expect(description).not.toBe('');
});

test('every tag is under one heading, since viewers hide the others', () => {
  const grouped = document['x-tagGroups'].flatMap(({ tags }) => tags);
  expect([...grouped].sort()).toEqual(Object.keys(contract).sort());
});

test('the first paragraph names every part of the service', () => {
  const [opening = ''] = document.info.description.split('\n\n');
  const parts = [
    'sign-in',
    'sessions',
    'profile',
    'loyalty',
    'remote config',
    'push',
    'files',
    'data',
    'webhooks',
  ];
  for (const part of [...parts, 'audit log', 'administration']) expect(opening).toContain(part);
});

type Documented = (typeof operations)[number] & { operation: Operation };

/** One test of a rule for all operations; it names those that break the rule. */
function testEach(rule: string, check: (route: Documented) => void): void {
  test(`every operation ${rule}`, () => {
    for (const one of operations) {
      try {
        check({ ...one, operation: documented(one.route) });
      } catch (error) {
        expect.soft(error, one.id).toBeUndefined();
      }
    }
  });
}

testEach(
  'has its own id, the tag of its group, a summary and a description',
  ({ id, group, route, operation }) => {
    expect([operation.operationId, operation['x-operation']]).toEqual([operationIdOf(id), id]);
    expect(operation.tags).toEqual([group]);
    expect(operation.summary).toBe(route.summary);
    expect(operation.description).toContain(route.description);
  },
);

testEach('asks for the keys and tokens that its metadata demands', ({ route, operation }) => {
  const demanded = {
    public: [],
    'app-key': [{ appKey: [] }],
    'optional-user': [{ appKey: [] }, { appKey: [], accessToken: [] }],
    'optional-user-or-admin': [
      { appKey: [] },
      { appKey: [], accessToken: [] },
      { appKey: [], secretKeyAuth: [] },
      { appKey: [], memberToken: [] },
    ],
    'signed-in': [{ appKey: [], accessToken: [] }],
    'signed-in-or-admin': [
      { appKey: [], accessToken: [] },
      { appKey: [], secretKeyAuth: [] },
      { appKey: [], memberToken: [] },
    ],
    admin: [
      { appKey: [], secretKeyAuth: [] },
      { appKey: [], memberToken: [] },
    ],
    member: [{ appKey: [], memberToken: [] }],
    console: [{ appKey: [], memberToken: [] }],
    'console-app-key': [{ appKey: [] }],
  };
  expect(operation.security).toEqual(demanded[metadataOf(route).auth]);
});

testEach(
  'lists every code it can answer under its status, with meaning and example, and no other',
  ({ route, operation }) => {
    const expected = new Set<ErrorCode>([...errorsOf(route), ...connectionErrors]);
    const listed = new Set<string>();
    for (const status of Object.keys(operation.responses).filter((key) => Number(key) >= 400)) {
      const answer = answerOf(operation, status);
      const examples = answer.content?.['application/json']?.examples ?? {};
      expect(Object.keys(examples)).toEqual(codesOf(answer));
      for (const code of codesOf(answer) as ErrorCode[]) {
        listed.add(code);
        expect(errorCatalogue[code].status).toBe(Number(status));
        expect(answer.description).toContain(`\`${code}\`: ${errorCatalogue[code].message}`);
        expect(ErrorEnvelope.parse(examples[code]?.value).error.code).toBe(code);
      }
    }
    expect([...listed].sort()).toEqual([...expected].sort());
  },
);

testEach('shows a request body that its own schema accepts', ({ route, operation }) => {
  const body = bodyOf(route);
  expect(operation.requestBody === undefined).toBe(body === undefined);
  if (!body) return;
  expect(operation.requestBody?.required).toBe(true);
  const { example } = operation.requestBody?.content[bodyTypeOf(route)] ?? {};
  expect(body.safeParse(example).error).toBeUndefined();
});

testEach(
  'shows a success that its own schema accepts, or says that there is no body',
  ({ route, operation }) => {
    const successes = Object.entries(route.responses).filter(([status]) => Number(status) < 400);
    expect(successes.length).toBeGreaterThan(0);
    for (const [status, schema] of successes) {
      const { content } = answerOf(operation, status);
      expect(content === undefined).toBe(typeof schema !== 'object');
      if (!content) continue;
      const { error } = (schema as z.ZodType).safeParse(content['application/json']?.example);
      expect(error).toBeUndefined();
    }
  },
);

testEach('shows how curl and the SDK call it', ({ id, route, operation }) => {
  const [curl, sdk, ...more] = operation['x-codeSamples'];
  const method = route.method === 'GET' ? '' : `-X ${route.method} `;
  const path = route.path.replaceAll('.', '\\.').replace(/:\w+/g, "[^/']+");
  expect(curl?.source).toMatch(new RegExp(`^curl ${method}'\\{base_url\\}${path}'`));
  expect(curl?.source).not.toMatch(/undefined/);
  const headers = {
    'X-App-Key': operation.security.length > 0,
    'If-Match: ': '428' in operation.responses,
  };
  for (const [header, sent] of Object.entries(headers)) expect(curl?.source.includes(header)).toBe(sent);
  expect(sdk === undefined).toBe(withoutSdkSample.includes(id) || ofDashboard(route));
  if (sdk) expect(sdk.source).toMatch(/^import [\s\S]*baseUrl: '\{base_url\}'[\s\S]*\n.*await /);
  expect(more).toEqual([]);
});

test('the calls that mail a code have the language of the reader', () => {
  const mailing = operations.filter(({ route }) => metadataOf(route).rateLimit === 'code-send');
  expect(mailing.map(({ id }) => id)).toEqual([
    'signIn.sendEmailCode',
    'passwords.forgot',
    'profile.changeEmail',
    'profile.sendVerification',
  ]);
});

testEach(
  'documents its parameters, and what a client may say of itself where a session starts',
  ({ route, operation }) => {
    const named = (where: string) =>
      (operation.parameters ?? []).filter((parameter) => parameter.in === where).map(({ name }) => name);
    expect(named('path')).toEqual([...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name));
    expect(named('header')).toEqual([
      ...(startsSession(route) ? ['X-Client-Device', 'X-Client-Version'] : []),
      ...(metadataOf(route).rateLimit === 'code-send' ? ['Accept-Language'] : []),
      ...keysOf(headersOf(route)),
      ...(metadataOf(route).readsHeaders ?? []),
      ...(metadataOf(route).idempotencyKey ? ['Idempotency-Key'] : []),
    ]);
  },
);

testEach(
  'documents the headers of its answers: request id, rate limits, when to try again',
  ({ route, operation }) => {
    const limited = metadataOf(route).rateLimit !== 'none';
    for (const status of Object.keys(operation.responses)) {
      const headers = Object.keys(answerOf(operation, status).headers);
      const codes = Number(status) < 400 ? [] : codesOf(answerOf(operation, status));
      const counted = limited && (codes.length === 0 || codes.some((code) => !beforeCounting.includes(code)));
      expect(headers).toContain('X-Request-Id');
      expect(headers.includes('RateLimit')).toBe(counted);
      expect(headers.includes('RateLimit-Policy')).toBe(counted);
      const tagged = metadataOf(route).etag === true && Number(status) < 400 && status !== '302';
      expect(headers.includes('ETag')).toBe(tagged);
      for (const name of ['X-Code-Flow', 'X-Device-Token'] as const) {
        const answered = metadataOf(route).answersHeaders?.includes(name) === true && Number(status) < 400;
        expect(headers.includes(name)).toBe(answered);
      }
      const { errors, idempotencyKey } = metadataOf(route);
      const inProgress = codes.includes('request/idempotency-key-in-progress');
      expect(headers.includes('Retry-After')).toBe(status === '429' || status === '503' || inProgress);
      // What the endpoint itself answers is stored with the key; what is rejected before it is not.
      const ofEndpoint =
        Number(status) < 400 || status === '422' || errors.some((code) => codes.includes(code));
      expect(headers.includes('Idempotent-Replayed')).toBe(idempotencyKey === true && ofEndpoint);
    }
  },
);

testEach(
  'says what it records in the audit log, also where only backends are audited',
  ({ route, operation }) => {
    const { auth, audit, scope } = metadataOf(route);
    const sentence =
      /Recorded in the audit log as `([\w.]+)`( if called with a secret key or by a team member)?\./;
    const [, action, ofBackends] = sentence.exec(operation.description) ?? [];
    expect([action, ofBackends !== undefined]).toEqual([
      audit ?? undefined,
      Boolean(audit) && auth.endsWith('-or-admin'),
    ]);
    if (scope?.endsWith(':write')) expect(action).toBeDefined();
  },
);

testEach('carries the figures of its rate limits, for machines and in words', ({ route, operation }) => {
  const policies = operation['x-rate-limit'] ?? [];
  expect(policies.length > 0).toBe(metadataOf(route).rateLimit !== 'none');
  for (const { policy, limit, window_seconds } of policies) {
    const figures = limits.rateLimits[policy as keyof typeof limits.rateLimits];
    expect({ limit, windowSeconds: window_seconds }).toEqual(figures);
    expect(operation.description).toContain(`\`${policy}\``);
  }
});

test('signing up and in start a session, a refresh and everything else do not', () => {
  const starting = operations.filter(({ route }) => startsSession(route)).map(({ id }) => id);
  expect(starting).toEqual([
    'signIn.signUp',
    'signIn.withPassword',
    'signIn.withProviderA',
    'signIn.withProviderB',
    'signIn.finishRedirect',
    'signIn.withProvider',
    'signIn.withPasskey',
    'signIn.withEmailCode',
    'secondFactor.complete',
    'secondFactor.confirmEnrollment',
    'v1Exchange.exchange',
    'invitations.accept',
  ]);
});
