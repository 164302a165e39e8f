import { expect, test } from 'vitest';
import { type Claim, checkClaim, type Taken, take } from './conflict-rules.js';

const own = { v1Id: 7, lineHash: 'aa', email: 'ada@example.com', memberId: 'M-7' };
const claim: Claim = { ...own, tokens: ['t1', 't2'] };

function taken(given: Partial<Taken> = {}): Taken {
  const nothing = { v1Ids: new Set<number>(), emails: new Set<string>(), memberIds: new Set<string>() };
  return { lines: new Map(), tokens: new Set(), ...nothing, ...given };
}

test.each<[string, Partial<Taken>, string]>([
  ['nothing', {}, 'new'],
  ['the same line', { lines: new Map([[7, 'aa']]), v1Ids: new Set([7]) }, 'there'],
  ['the same line, of a user who is gone', { lines: new Map([[7, 'aa']]) }, 'there'],
  [
    'another line of the same id',
    { lines: new Map([[7, 'bb']]) },
    'the id was imported before, from a line that says something else',
  ],
  ['the id', { v1Ids: new Set([7]) }, 'the id belongs to another account'],
  ['the email', { emails: new Set(['ada@example.com']) }, 'the email belongs to another account'],
  ['the member id', { memberIds: new Set(['M-7']) }, 'the member id belongs to another account'],
  ['a token', { tokens: new Set(['t2']) }, 'a token belongs to another account'],
  [
    'all of it but of others',
    { lines: new Map([[8, 'aa']]), v1Ids: new Set([8]), emails: new Set(['b@example.com']) },
    'new',
  ],
])('where the app has %s', (_what, has, outcome) => {
  const verdict = checkClaim(claim, taken(has));
  expect(verdict.as === 'refused' ? verdict.reason : verdict.as).toBe(outcome);
});

test('what one line claims is taken for later lines', () => {
  const known = taken();
  take(claim, known);
  expect(checkClaim(claim, known)).toEqual({ as: 'there' });
  const other = { ...claim, v1Id: 8, lineHash: 'bb' };
  for (const free of [{}, { email: 'b@example.com' }, { email: 'b@example.com', memberId: 'M-8' }]) {
    expect(checkClaim({ ...other, ...free }, known).as).toBe('refused');
  }
  const wholly = { ...other, email: 'b@example.com', memberId: 'M-8', tokens: [] };
  expect(checkClaim(wholly, known)).toEqual({ as: 'new' });
});
