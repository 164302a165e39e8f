// The link of a sign-in email, as email programs and operating systems pass it to the app.
import { expect, test } from 'vitest';
import { parseLink } from '../src/features/sign-in-link.js';

const email = 'ada@example.com';
const code = '402718';

test.each([
  ['a web page', 'https://app.example.com/sign-in?mode=sign_in&email=ada%40example.com&code=402718'],
  ['an app', 'example-app://sign-in?mode=sign_in&email=ada%40example.com&code=402718'],
  ['an app without a host', 'example-app:?mode=sign_in&email=ada%40example.com&code=402718'],
  ['a path alone', '/sign-in?mode=sign_in&email=ada%40example.com&code=402718'],
  ['an own query', 'https://x.example/?lang=en&mode=sign_in&email=ada%40example.com&code=402718'],
  [
    'the deep link has query parameters with the same names',
    '?code=1&mode=x&email=y&mode=sign_in&email=ada@example.com&code=402718',
  ],
  ['a query inside the query', '?next=/a?mode=b&mode=sign_in&email=ada@example.com&code=402718'],
  ['another order', '?code=402718&email=ada@example.com&mode=sign_in'],
  ['more at the end', '?mode=sign_in&email=ada@example.com&code=402718&utm_source=mail#top'],
  ['a broken encoding elsewhere', '?title=100%&mode=sign_in&email=ada@example.com&code=402718'],
])('%s: the email and the code come out', (_, url) => {
  expect(parseLink(url)).toEqual({ email, code });
});

test.each([
  ['ada%2Bnews%40example.com', 'ada+news@example.com'],
  ['ada+news@example.com', 'ada+news@example.com'],
  ['%C3%A4da%26co%3D%25%40example.com', 'äda&co=%@example.com'],
  ['o%27hara%23%3F%40example.com', "o'hara#?@example.com"],
])('the email %s is decoded once, and its plus stays a plus', (encoded, decoded) => {
  expect(parseLink(`app://x?mode=sign_in&email=${encoded}&code=${code}`)).toEqual({ email: decoded, code });
});

test.each([
  ['no link at all', null],
  ['nothing', undefined],
  ['an empty text', ''],
  ['no query', 'https://app.example.com/sign-in'],
  ['another mode', '?mode=reset&email=ada@example.com&code=402718'],
  ['no mode', '?email=ada@example.com&code=402718'],
  ['a mode that only ends so', '?xmode=sign_in&email=ada@example.com&code=402718'],
  ['another mode after it', '?mode=sign_in&email=ada@example.com&code=402718&mode=reset'],
  ['no email', '?mode=sign_in&code=402718'],
  ['an empty email', '?mode=sign_in&email=&code=402718'],
  ['no code', '?mode=sign_in&email=ada@example.com'],
  ['five digits', '?mode=sign_in&email=ada@example.com&code=40271'],
  ['seven digits', '?mode=sign_in&email=ada@example.com&code=4027181'],
  ['digits of another script', '?mode=sign_in&email=ada@example.com&code=٤٠٢٧١٨'],
  ['a broken encoding', '?mode=sign_in&email=ada%4&code=402718'],
  ['a fragment', 'https://app.example.com/#?mode=sign_in&email=ada@example.com&code=402718'],
])('%s gives null', (_, url) => {
  expect(parseLink(url)).toBeNull();
});

test('a very long URL is parsed in linear time', () => {
  // CPU time of this process, independent of the machine's load.
  const begin = process.cpuUsage();
  expect(parseLink(`?${'&mode=sign_in&email=a&code='.repeat(20_000)}`)).toBeNull();
  expect(process.cpuUsage(begin).user).toBeLessThan(500_000);
});
