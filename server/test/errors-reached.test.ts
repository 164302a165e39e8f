// A real request produces every code of the catalogue, on a route that declares it.
import { type ErrorCode, errorCodes } from '@foyer/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectDeclared, routeOf } from './contract-routes.js';
import { authErrors } from './errors-reached/accounts.js';
import { adminErrors, configErrors, loyaltyErrors, webhookErrors } from './errors-reached/backend.js';
import { consoleErrors } from './errors-reached/console.js';
import { contextOf, type Reached, type Redirected } from './errors-reached/context.js';
import { dataErrors } from './errors-reached/data.js';
import { fileErrors } from './errors-reached/files.js';
import { pushErrors } from './errors-reached/push.js';
import { requestErrors } from './errors-reached/requests.js';
import { providerScenario } from './provider-scenario.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';

let reached: Record<ErrorCode, Reached | Redirected>;
const providers = shared(providerScenario);
beforeAll(async () => {
  const context = contextOf(providers, await providers.service.signUp());
  reached = {
    ...requestErrors(context),
    ...authErrors(context),
    ...loyaltyErrors(context),
    ...configErrors(context),
    ...pushErrors(context),
    ...adminErrors(context),
    ...fileErrors(context),
    ...webhookErrors(context),
    ...dataErrors(context),
    ...consoleErrors(context),
  };
});

test('every code of the catalogue has a request here, and no other code does', () => {
  expect(Object.keys(reached).sort()).toEqual([...errorCodes].sort());
});

describe('a real request is answered', () => {
  test.each(errorCodes)('%s', async (code) => {
    const { route, ...request } = reached[code];
    if ('ask' in request) expectRefusal(await request.ask(), code, null);
    else expect(await request.redirected()).toBe(code);
    if (route !== undefined) expectDeclared({ id: route, route: routeOf(route) }, code);
  });
});
