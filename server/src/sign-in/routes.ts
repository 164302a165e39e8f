// HTTP of the ways in.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { callerOf, clientOf } from '../http/caller.js';
import { signUp } from './sign-up.js';
import { signInWithPassword } from './with-password.js';

export function signInRoutes(deps: Deps) {
  return initServer().router(contract.signIn, {
    signUp: async ({ req, body }) => {
      const data = await signUp(deps, callerOf(req).app, clientOf(req), {
        email: body.email,
        password: body.password,
        firstName: body.first_name ?? null,
        lastName: body.last_name ?? null,
      });
      return { status: 201, body: { data } };
    },
    withPassword: async ({ req, body }) => {
      const data = await signInWithPassword(deps, callerOf(req).app, clientOf(req), body);
      return { status: 200, body: { data } };
    },
  });
}
