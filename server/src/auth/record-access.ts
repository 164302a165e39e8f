// Refuses calls on records that the caller has no right to before their bodies are read, so that a client without the right
// never has a megabyte parsed. A secret key may do everything.
import { contract } from '@foyer/contract';
import type { AppRoute } from '@ts-rest/core';
import type { NextFunction, Request, Response } from 'express';
import type { Action } from '../data/records/access-rules.js';
import { checkAccess } from '../data/records/check-access.js';
import type { Deps } from '../deps.js';

/** What the calls with a body do, as the access modes tell them apart. */
const actions = new Map<string, Action>([
  [nameOf(contract.data.create), 'create'],
  [nameOf(contract.data.replace), 'create'],
  [nameOf(contract.data.merge), 'change'],
  [nameOf(contract.data.query), 'read'],
]);

export function recordAccess(deps: Pick<Deps, 'query'>) {
  return (req: Request, _res: Response, next: NextFunction): void => {
    const { caller, params, tsRestRoute } = req;
    const action = actions.get(nameOf(tsRestRoute as AppRoute));
    if (!caller || action === undefined || caller.secretKey) {
      next();
      return;
    }
    const who = caller.session ? 'user' : 'anonymous';
    const client = { appId: caller.app.id, who } as const;
    checkAccess(deps, client, action, params.collection).then(() => next(), next);
  };
}

function nameOf({ method, path }: AppRoute): string {
  return `${method} ${path}`;
}
