// A client typed by openapi-typescript at work: see ../README.md.
import { readFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import type { paths } from './foyer.js';

const {
  FOYER_BASE_URL = '',
  FOYER_NEWER_URL = '',
  FOYER_APP_KEY = '',
  FOYER_EMAIL: email = '',
} = process.env;
const password = 'correct horse battery staple';
const clientAt = (baseUrl: string, token?: string) =>
  createClient<paths>({
    baseUrl,
    headers: { 'X-App-Key': FOYER_APP_KEY, ...(token && { Authorization: `Bearer ${token}` }) },
  });
const ok = (is: boolean, step: string) => is && console.log(`ok ${step}`);

const anyone = clientAt(FOYER_BASE_URL);
const up = await anyone.POST('/auth/sign-up', { body: { email, password } });
ok(up.data?.data.user.email === email, 'sign-up');
const first = await anyone.POST('/auth/sign-in', { body: { email, password } });
ok(first.data !== undefined, 'sign-in');
const next = await anyone.POST('/auth/token/refresh', {
  body: { refresh_token: first.data?.data.refresh_token ?? '' },
});
ok(next.data !== undefined, 'refresh');
const token = next.data?.data.access_token;
const user = clientAt(FOYER_BASE_URL, token);
ok((await user.GET('/me')).data?.data.email === email, 'me');
const records = await user.POST('/data/{collection}/query', {
  params: { path: { collection: 'notes' } },
  body: { where: [{ field: 'done', op: '==', value: false }], orderBy: [], limit: 20 },
});
ok(records.data?.data.items !== undefined, 'query');
const form = new FormData();
form.set('file', new Blob([readFileSync(process.env.FOYER_FILE ?? '')]), 'photo.png');
const uploaded = await user.POST('/files', {
  body: { file: '', visibility: 'private' },
  bodySerializer: () => form,
});
ok((uploaded.data?.data.size ?? 0) > 0, 'upload');
const wrong = { body: { email, password: 'not the password' } };
ok((await anyone.POST('/auth/sign-in', wrong)).error?.error.code === 'auth/invalid-credential', 'error');
const newCode = await clientAt(FOYER_NEWER_URL).POST('/auth/sign-in', wrong);
ok(newCode.error?.error.code === 'auth/from-the-future', 'new code');
const sessions = await clientAt(FOYER_NEWER_URL, token).GET('/me/sessions');
ok(sessions.data?.data.items[0]?.method === 'hologram', 'new value');
