import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { mailboxPath } from './dev-mailbox.js';
import { type StartPage, startPage } from './start-page.js';

/** The page of a service with a mailbox, an owner, and its packages, unless `more` says otherwise. */
async function page(more: Partial<StartPage>): Promise<string> {
  let text = '';
  const res = {
    set: () => res,
    type: () => res,
    send(body: string) {
      text = body;
    },
  };
  const config = { baseUrl: 'https://accounts.test', openMailbox: true } as StartPage['config'];
  const packages = { sdk: '/sdk/sdk.tgz', elements: '/sdk/elements.tgz' };
  const parts = { version: '1', config, hasMailbox: true, hasOwner: async () => true, packages, ...more };
  await startPage(parts)({} as Request, res as unknown as Response);
  return text;
}

test('a service that sends its mail shows no mailbox', async () => {
  expect(await page({})).toContain(mailboxPath);
  expect(await page({ hasMailbox: false })).not.toContain(mailboxPath);
});

test.each([
  { sdk: null, elements: null },
  { sdk: '/sdk/sdk.tgz', elements: null },
  { sdk: null, elements: '/sdk/elements.tgz' },
])('a service without its packages does not say how to install them: %j', async (packages) => {
  expect(await page({})).toContain('npm install');
  expect(await page({ packages })).not.toContain('npm install');
});
