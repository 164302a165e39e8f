// The page of operations in Markdown has what the document has.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { document } from './committed-v2.js';
import { documents } from './generator/documents.js';

const page = readFileSync(new URL('v2.md', import.meta.url), 'utf8');

test('the committed page is what the generator makes of the contract', () => {
  expect(page).toBe(documents()['v2.md']);
});

test('it has each operation once, with its summary, its fields and its example', () => {
  const headings = [...page.matchAll(/^### ([A-Z]+ \/.*)$/gm)].map(([, heading]) => heading);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect([...headings].sort()).toEqual(operations.sort());
  const [signUp = ''] = /^### POST \/auth\/sign-up\n[\s\S]*?(?=\n### )/m.exec(page) ?? [];
  for (const part of [
    'Create an account with email and password. `signInSignUp`',
    'Credentials: app key (`X-App-Key`).',
    '- `email` (string, required): ',
    '- `first_name` (string or null): ',
    '- `user.email_verified` (boolean, required): ',
    '201: A new access token and refresh token, and their user.',
    "curl -X POST '{base_url}/auth/sign-up' \\",
  ]) {
    expect(signUp).toContain(part);
  }
});
