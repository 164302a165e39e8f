// The gate: nothing that a client of the last release relies on goes away, and the version says what changed.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ClientDocument, Operation, Schema } from '../generator/client/schema.js';
import { type BreakingKind, breakingKinds, type Change, isBreaking } from './changes.js';
import { changesBetween } from './compare.js';
import { changelogOf, nextVersion, releasedChangelog, releasedDocument } from './release.js';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
const released = releasedDocument();
const current = JSON.parse(read('../v2.json')) as ClientDocument;

test('v2.json breaks no client of the last release', () => {
  // docs/breaking-changes.md says what to do instead, and when a new release is right.
  expect(changesBetween(released, current).filter(isBreaking)).toEqual([]);
});

test('the version and the changelog say what changed since the last release', () => {
  expect(current.info.version).toBe(nextVersion(released, current));
  expect(read('../CHANGELOG.md')).toBe(changelogOf(released, current, releasedChangelog()));
});

test('the page about breaking changes names every kind', () => {
  const page = read('../../docs/breaking-changes.md');
  expect(Object.keys(breakingKinds).filter((kind) => !page.includes(`\`${kind}\``))).toEqual([]);
});

const signUp = (document: ClientDocument) => document.paths['/auth/sign-up']?.post as Operation;
const listUsers = (document: ClientDocument) => document.paths['/admin/users']?.get as Operation;
const signUpBody = (document: ClientDocument) => inJson(signUp(document).requestBody?.content);
const user = (document: ClientDocument) => document.components.schemas.User as Schema;
const inJson = (content: Record<string, { schema: Schema }> | undefined) =>
  content?.['application/json']?.schema as Schema;

function changesAfter(edit: (document: ClientDocument) => void): Change[] {
  const document = structuredClone(released);
  edit(document);
  return changesBetween(released, document);
}

describe.each<[BreakingKind, string, (document: ClientDocument) => void]>([
  [
    'input-narrowed',
    'an input has one condition more',
    (document) => Object.assign(signUpBody(document), { allOf: [{}] }),
  ],
  ['operation-removed', 'an operation is gone', (document) => delete document.paths['/auth/sign-up']],
  [
    'operation-id-changed',
    'an operation has another operationId',
    (document) => (signUp(document).operationId = 'signInRegister'),
  ],
  ['status-removed', 'an error status is gone', (document) => delete signUp(document).responses['409']],
  [
    'media-type-removed',
    'a body takes another media type',
    (document) => {
      const { content = {} } = signUp(document).requestBody ?? {};
      Object.assign(content, { 'text/json': content['application/json'] });
      delete content['application/json'];
    },
  ],
  [
    'answer-property-removed',
    'a property is gone',
    (document) => delete user(document).properties?.created_at,
  ],
  [
    'answer-property-removed',
    'a property is no longer always there',
    (document) => user(document).required?.splice(0, 1),
  ],
  [
    'type-changed',
    'an answer has another type',
    (document) => Object.assign(user(document).properties?.uid as Schema, { type: 'integer' }),
  ],
  [
    'type-changed',
    'an answer may be null',
    (document) => Object.assign(user(document).properties?.uid as Schema, { type: ['string', 'null'] }),
  ],
  [
    'type-changed',
    'an input no longer takes null',
    (document) => Object.assign(signUpBody(document).properties?.first_name as Schema, { type: 'string' }),
  ],
  [
    'input-required',
    'a new required property',
    (document) => {
      Object.assign(signUpBody(document).properties as object, { captcha: { type: 'string' } });
      signUpBody(document).required?.push('captcha');
    },
  ],
  [
    'input-required',
    'an optional property is now required',
    (document) => signUpBody(document).required?.push('first_name'),
  ],
  [
    'input-required',
    'a new required parameter',
    (document) =>
      listUsers(document).parameters?.push({
        name: 'tenant',
        in: 'query',
        required: true,
        schema: { type: 'string' },
      } as never),
  ],
  ['input-removed', 'a property is gone', (document) => delete signUpBody(document).properties?.last_name],
  ['input-removed', 'a parameter is gone', (document) => listUsers(document).parameters?.pop()],
  [
    'input-narrowed',
    'a bound is narrower',
    (document) => Object.assign(signUpBody(document).properties?.password as Schema, { maxLength: 20 }),
  ],
  [
    'input-narrowed',
    'a bound is new',
    (document) => Object.assign(signUpBody(document).properties?.email as Schema, { pattern: '^a' }),
  ],
  [
    'input-narrowed',
    'an enumeration is shorter',
    (document) =>
      listUsers(document)
        .parameters?.find(({ name }) => name === 'order')
        ?.schema.enum?.pop(),
  ],
  [
    'credential-removed',
    'a credential is no longer accepted',
    (document) => (listUsers(document).security = [{ appKey: [], secretKeyAuth: [] }]),
  ],
])('%s', (kind, what, edit) => {
  test(`is found: ${what}`, () => {
    const kinds = new Set(
      changesAfter(edit)
        .filter(isBreaking)
        .map((change) => change.kind),
    );
    expect([...kinds]).toEqual([kind]);
  });
});

test('each kind of breaking change has a test', () => {
  // The table above; a kind without a row would pass the gate unseen.
  const tested = read('gate.test.ts');
  expect(
    Object.keys(breakingKinds).filter(
      (kind) => !tested.includes(`\n  ['${kind}'`) && !tested.includes(`\n    '${kind}'`),
    ),
  ).toEqual([]);
  expect(Object.keys(breakingKinds)).toHaveLength(10);
});

test.each<[string, (document: ClientDocument) => void]>([
  ['an operation', (document) => (document.paths['/new'] = { get: structuredClone(signUp(document)) })],
  [
    'a property of an answer',
    (document) => Object.assign(user(document).properties as object, { nickname: {} }),
  ],
  [
    'an optional input',
    (document) => Object.assign(signUpBody(document).properties as object, { nickname: {} }),
  ],
  [
    'a wider bound',
    (document) => Object.assign(signUpBody(document).properties?.password as Schema, { maxLength: 9_999 }),
  ],
  [
    'any text instead of the values of an enumeration',
    (document) => {
      const { schema } = listUsers(document).parameters?.find(({ name }) => name === 'provider') ?? {};
      Object.assign(schema as Schema, { enum: undefined, minLength: 1, maxLength: 64 });
    },
  ],
  [
    'an error code',
    (document) => {
      const { error } = inJson(signUp(document).responses['400']?.content).properties ?? {};
      error?.allOf?.[1]?.properties?.code?.enum?.push('auth/new');
    },
  ],
  [
    'another form of an input',
    (document) =>
      inJson(document.paths['/me/identities/{provider}']?.post?.requestBody?.content).anyOf?.push({}),
  ],
  ['another form of an answer', (document) => document.components.schemas.TokenVerdict?.oneOf?.push({})],
])('%s may be added, and raises the minor version', (_, edit) => {
  const document = structuredClone(released);
  edit(document);
  const changes = changesBetween(released, document);
  expect(changes.length).toBeGreaterThan(0);
  expect(changes.filter(isBreaking)).toEqual([]);
  const [major, minor] = released.info.version.split('.');
  expect(nextVersion(released, document)).toBe(`${major}.${Number(minor) + 1}.0`);
});

test('words raise the patch version, and nothing raises none', () => {
  const document = structuredClone(released);
  expect(nextVersion(released, document)).toBe(released.info.version);
  signUp(document).description += ' More.';
  const [major, minor, patch] = released.info.version.split('.');
  expect(nextVersion(released, document)).toBe(`${major}.${minor}.${Number(patch) + 1}`);
  const version = nextVersion(released, document);
  const changelog = changelogOf(
    released,
    { ...document, info: { ...document.info, version } },
    '# Title\n\n## 2.0.0\n',
  );
  expect(changelog).toBe(`# Title\n\n## ${version}\n\nDescriptions only.\n\n## 2.0.0\n`);
});
