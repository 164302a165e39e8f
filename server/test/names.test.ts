// The vocabulary: names that were replaced by standard terms must not return to source, tests and documentation.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './import-graph.js';

/** Case-sensitive, whole words; each with the standard term. */
const replaced: Record<string, string> = {
  SECRET_KEY: 'ENCRYPTION_KEYS',
  testSecretKey: 'testEncryptionKey',
  rooms: 'modules, routers',
  nudge: 'wake',
  dueWork: 'scheduler',
  heedIdempotencyKeys: 'withIdempotency',
  keepAnswer: 'storeResponse',
  auditNotes: 'auditBuffer',
  AuditNotes: 'AuditBuffer',
  noteFailure: 'recordFailure',
  notingFailure: 'recordFailures',
  takeFailures: 'consume',
  giveBack: 'refund',
  draftSession: 'buildSession',
  firstTokenAnswer: 'issueTokens',
  handClock: 'manualClock',
  story: 'scenario',
  tellStory: 'runScenario',
  presentUser: 'serializeUser',
  userId: 'uid',
  takeQuick: 'semaphore',
  queryTurns: 'concurrency limit',
  bestPlaces: 'topN',
  forgetCodes: 'deleteCodesOf',
  judgeRefresh: 'checkRefresh',
  proveCode: 'verifyCode',
  noteSecretKeyUse: 'recordSecretKeyUse',
  lookForKey: 'reloadForKey',
  settingsOfWords: 'settingsOfArguments',
  'mailed code': 'emailed code',
  'mailed codes': 'emailed codes',
};

/** Files where the word has another meaning, or is the documented former name. */
const exceptions: Record<string, RegExp> = {
  SECRET_KEY: /^(\.env\.example|server\/src\/env(\.test)?\.ts|server\/test\/process\.test\.ts)$/,
};

const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(
    (path) =>
      /\.(ts|tsx|js|mjs|md|prisma|sh)$|^\.env\.example$/.test(path) &&
      !/(^|\/)(generated|migrations)\/|^server\/test\/names\.test\.ts$/.test(path),
  );

test('no file uses a name that was replaced by a standard term', () => {
  expect(files.length).toBeGreaterThan(500);
  const words = new RegExp(`(?<!<)\\b(${Object.keys(replaced).join('|')})\\b`, 'g');
  const found = files.flatMap((path) => {
    const names = new Set(readFileSync(join(root, path), 'utf8').match(words));
    return [...names]
      .filter((name) => !exceptions[name]?.test(path))
      .map((name) => `${path}: ${name} (use ${replaced[name]})`);
  });
  expect(found).toEqual([]);
});
