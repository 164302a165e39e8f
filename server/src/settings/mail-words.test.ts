// What the words of an app's mails may contain: those that readers see before they open one have no links, and none changes the
// direction of what follows.
import { AppSettingsPatch } from '@foyer/contract';
import { expect, test } from 'vitest';

const text = 'Come in.';
const parse = (mail: object) => AppSettingsPatch.safeParse({ mail });
const textsOf = (subject: string) => ({ texts: { sign_in: { en: { subject, text } } } });

test.each([
  'Your code: https://evil.example',
  'www.evil.example has your code',
  'evil.example',
  '{{app}}.example',
  'evil。example',
])('the subject %j is refused because it contains a URL', (subject) => {
  const { error } = parse(textsOf(subject));
  expect(error?.issues).toMatchObject([
    { path: ['mail', 'texts', 'sign_in', 'en', 'subject'], message: 'must not contain a URL' },
  ]);
});

test.each(['{{code}} opens {{app}}', 'z.B. Version 2.0', 'Your code. Or not…', 'رمزك: {{code}}'])(
  'the subject %j is accepted',
  (subject) => {
    expect(parse(textsOf(subject)).data).toEqual({ mail: textsOf(subject) });
  },
);

test('characters that change the direction are dropped from all words', () => {
  const [given, stored] = ['a\u202eb\u2066c', 'abc'];
  const inputOf = (words: string) => ({
    from_name: words,
    branding: { button: words, footer: words },
    texts: { reset: { en: { subject: words, text: `${words}\n\n${words}` } } },
  });
  expect(parse(inputOf(given)).data).toEqual({ mail: inputOf(stored) });
});

test('a name of the sender that would start a header is stored as one line', () => {
  expect(parse({ from_name: 'x\r\nBcc: y' }).data).toEqual({ mail: { from_name: 'x Bcc: y' } });
});

test.each(['\u200b\u2060', '\u202e'])('words of invisible characters %j are refused', (words) => {
  const body = { texts: { reset: { en: { subject: 'Code', text: words } } } };
  for (const input of [{ from_name: words }, { branding: { footer: words } }, textsOf(words), body])
    expect(parse(input).success).toBe(false);
});
