// Where browsers offer passkeys to the dashboard: the host of BASE_URL.
import { expect, test } from 'vitest';
import { type App, consoleSlug } from '../model/app.js';
import { relyingPartyOf } from './relying-party.js';

const dashboard = { slug: consoleSlug, name: 'Foyer' } as App;

test.each([
  ['https://accounts.example.com', 'accounts.example.com'],
  ['https://accounts.example.com:8443', 'accounts.example.com'],
  ['http://localhost:3000', 'localhost'],
  ['https://localhost', 'localhost'],
  ['http://accounts.example.com', null],
  ['https://192.0.2.1', null],
  ['http://127.0.0.1:3000', null],
  ['https://[2001:db8::1]', null],
])('the relying party of the dashboard at %s is %j', (baseUrl, rp_id) => {
  const config = { baseUrl } as Parameters<typeof relyingPartyOf>[0]['config'];
  expect(relyingPartyOf({ config }, dashboard)).toEqual(
    rp_id && { rp_id, rp_name: 'Foyer', origins: [baseUrl] },
  );
});
