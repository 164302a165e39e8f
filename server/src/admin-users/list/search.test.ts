// The search for users by words of their names and emails, in many scripts.
import type { AdminUser } from '@foyer/contract';
import { beforeAll, expect, test } from 'vitest';
import { testService } from '../../../test/harness.js';
import { shared } from '../../../test/shared.js';

const service = shared(() => testService());
const people = [
  { email: 'elodie@folded.example', first_name: 'Élodie', last_name: null },
  { email: 'lukasz@folded.example', first_name: 'ŁUKASZ', last_name: 'van der Berg' },
  { email: 'asteris@folded.example', first_name: 'Ἀστέρις', last_name: null },
  { email: 'odos@folded.example', first_name: 'ΟΔΟΣ', last_name: null },
  { email: 'amelie@folded.example', first_name: 'Ame\u0301lie', last_name: 'Straße' },
  { email: 'jose@sub.folded.example', first_name: 'José María', last_name: 'Müller-Lüdenscheidt' },
  { email: "o'brien@folded.example", first_name: 'Conan', last_name: 'O’Brien' },
  { email: 'li@folded.example', first_name: '小明', last_name: '王' },
  { email: 'irem@folded.example', first_name: 'İrem', last_name: 'Işık' },
  { email: 'mario.de.souza@other.example', first_name: 'Ana Beatriz Clara', last_name: 'Prado' },
  { email: 'x_under_score+tag@plus.example', first_name: 'Søren', last_name: "D'Angelo" },
  { email: 'minsu@hangul.example', first_name: '민수', last_name: '김' },
  { email: 'kana@kana.example', first_name: 'さくら', last_name: 'ガルシア' },
  { email: 'keola@okina.example', first_name: 'Keola', last_name: 'Kaʻahumanu' },
  { email: 'hebrew@hebrew.example', first_name: 'צה״ל', last_name: 'ג׳ורג' },
  { email: 'quoted@hebrew.example', first_name: 'רמב"ם', last_name: null },
  { email: 'ase@nordic.example', first_name: 'Åse', last_name: 'Skjærgård' },
  { email: 'arab@arab.example', first_name: 'مُحَمَّد', last_name: 'Þórðarson' },
];
const token = () => service.app.secretKey;
beforeAll(async () => {
  for (const body of people) await service.call('POST', '/admin/users', { token: token(), body });
});

async function emailsFound(q: string): Promise<string[]> {
  const answer = await service.call('GET', `/admin/users?q=${encodeURIComponent(q)}`, { token: token() });
  expect(answer.status).toBe(200);
  return answer.json.data.items.map(({ email }: AdminUser) => email);
}

test.each([
  // Case and normal form, for any locale of the database
  ['ÉLO', 'elodie'],
  ['łuk', 'lukasz'],
  ['ἈΣ', 'asteris'],
  ['οδος', 'odos'],
  ['ΟΔ', 'odos'],
  ['AM\u00c9L', 'amelie'],
  ['ame\u0301', 'amelie'],
  // The words have no accents and no signs that a keyboard lacks.
  ['elodie', 'elodie'],
  ['lukasz', 'lukasz'],
  ['jose', 'jose'],
  ['muller', 'jose'],
  ['strasse', 'amelie'],
  ['irem', 'irem'],
  ['İREM', 'irem'],
  ['isik', 'irem'],
  ['IŞIK', 'irem'],
  // Apostrophes
  ["O'Brien", "o'brien"],
  ['O’Brien', "o'brien"],
  ['obrien', "o'brien"],
  ['o’brien@folded', "o'brien"],
  // Full names in either order, and the last word of a name
  ['conan obrien', "o'brien"],
  ["o'brien conan", "o'brien"],
  ['  conan   o', "o'brien"],
  ['berg', 'lukasz'],
  ['van der berg lukasz', 'lukasz'],
  ['maria', 'jose'],
  ['ludenscheidt', 'jose'],
  // Inner words of a name and of the local part of an email, in any order
  ['beatriz', 'mario.de.souza'],
  ['prado beatriz', 'mario.de.souza'],
  ['clara ana prado', 'mario.de.souza'],
  ['de souza', 'mario.de.souza'],
  ['souza', 'mario.de.souza'],
  ['de.souza', 'mario.de.souza'],
  ['souza prado', 'mario.de.souza'],
  ['der', 'lukasz'],
  ['under', 'x_under_score+tag'],
  ['under_score', 'x_under_score+tag'],
  ['x_under', 'x_under_score+tag'],
  ['tag', 'x_under_score+tag'],
  ['angelo', 'x_under_score+tag'],
  ["d'angelo soren", 'x_under_score+tag'],
  ['soeren', 'x_under_score+tag'],
  ['brien', "o'brien"],
  ['kaahumanu', 'keola'],
  ['Kaʻahumanu', 'keola'],
  ["Ka'ahumanu", 'keola'],
  ['ahumanu keola', 'keola'],
  ['צהל', 'hebrew'],
  ['צה״ל', 'hebrew'],
  ['צה"ל', 'hebrew'],
  ['גורג', 'hebrew'],
  ['רמבם', 'quoted'],
  ['רמב"ם', 'quoted'],
  ['רמב״ם', 'quoted'],
  // Other spellings of an umlaut, and signs over other letters
  ['mueller', 'jose'],
  ['MÜLLER', 'jose'],
  ['aase', 'ase'],
  ['Åse', 'ase'],
  ['ase skjærgård', 'ase'],
  ['skjaergaard', 'ase'],
  ['skjargard', 'nobody'],
  ['محمد', 'arab'],
  ['thordar', 'arab'],
  // Scripts without spaces
  ['명', 'nobody'],
  ['김민수', 'minsu'],
  ['수', 'minsu'],
  ['王小明', 'li'],
  ['明', 'li'],
  ['カ', 'kana'],
  ['ガル', 'kana'],
  ['さくらガルシア', 'kana'],
  // One character is a word
  ['王', 'li'],
  ['王 小', 'li'],
  ['小明', 'li'],
  // A domain, and what mail programs copy
  ['@sub.folded', 'jose'],
  ['ｉｒｅｍ＠ｆｏｌｄｅｄ．ｅｘａｍｐｌｅ', 'irem'],
  ['sub.folded', 'jose'],
  ['İrem Işık irem@folded.example', 'irem'],
  ['irem@folded.example (İrem)', 'irem'],
  ['"Conan O’Brien" <o\'brien@folded.example>', "o'brien"],
  ['mailto:irem@folded.example', 'irem'],
  ['IREM@folded.example;', 'irem'],
])('%j finds %s', async (q, found) => {
  const names = (await emailsFound(q)).map((email) => email.split('@')[0]);
  expect(names).toEqual(found === 'nobody' ? [] : [found]);
});

test('a domain finds all its users, and signs alone find none', async () => {
  const all = people.map(({ email }) => email).filter((email) => email.endsWith('@folded.example'));
  expect((await emailsFound('@folded.example')).toSorted()).toEqual(all.toSorted());
  for (const q of ["''", '’’', '\u0301\u0301', '@@', '--', '…|…', '==', "\\' | '", '@ab\\', "@ab'"]) {
    expect(await emailsFound(q)).toEqual([]);
  }
});

test('the start of an email finds its user up to 100 characters', async () => {
  const email = `${'ada.'.repeat(14)}lovelace@${'b'.repeat(60)}.example.com`;
  await service.signUp({ email });
  expect(await emailsFound(email.slice(0, 100))).toEqual([email]);
  expect(await emailsFound(email.slice(0, 101))).toEqual([]);
});

test('a push token is looked up from 32 characters on, as any provider makes them', async () => {
  const { tokens, email } = await service.signUp();
  const found = async (token: string) => {
    const body = { provider: 'fcm', platform: 'android', token };
    const registered = await service.call('POST', '/push/devices', { token: tokens.access_token, body });
    expect(registered.status).toBe(201);
    return emailsFound(token);
  };
  expect(await found('a1B2'.repeat(8))).toEqual([email]);
  expect(await found('a1B2'.repeat(8).slice(1))).toEqual([]);
  // The same text as a later token of another provider, without a user.
  service.clock.advance(1);
  const body = { provider: 'apns', platform: 'ios', token: 'cd34'.repeat(16) };
  await found(body.token);
  service.clock.advance(1);
  expect((await service.call('POST', '/push/devices', { body })).status).toBe(201);
  expect(await emailsFound(body.token)).toEqual([email]);
  service.clock.advance(-2);
});

test('the complete token of a push device finds its user, in its app only, and part of one nobody', async () => {
  const user = await service.signUp();
  const other = await service.newApp();
  const tokens = {
    fcm: `fcm-${'a1B2'.repeat(30)}`,
    apns: 'AB12'.repeat(16),
  };
  const register = (provider: keyof typeof tokens, platform: string) =>
    service.call('POST', '/push/devices', {
      token: user.tokens.access_token,
      body: { provider, platform, token: tokens[provider] },
    });
  expect((await register('fcm', 'android')).status).toBe(201);
  expect((await register('apns', 'ios')).status).toBe(201);
  for (const each of Object.values(tokens)) {
    expect(await emailsFound(each)).toEqual([user.email]);
    expect(await emailsFound(each.slice(0, -2))).toEqual([]);
    const { app, secretKey } = other;
    const q = `/admin/users?q=${each}`;
    const elsewhere = await service.call('GET', q, { appKey: app.appKey, token: secretKey });
    expect(elsewhere.json.data.items).toEqual([]);
  }
});
