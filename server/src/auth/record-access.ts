// Refuses unauthorized requests on records before their bodies are read, so that they cannot cause a megabyte to be parsed.
// Secret keys and team members have full access.
import { contract } from '@foyer/contract';
import type { AppRoute } from '@ts-rest/core';
import type { NextFunction, Request, Response } from 'express';
import type { Action } from '../data/records/access-rules.js';
import { checkAccess } from '../data/records/check-access.js';
import type { Deps } from '../deps.js';
import { actsForApp } from '../http/caller.js';

/** The access mode that each request with a body needs. */
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
    if (!caller || action === undefined || actsForApp(caller)) {
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
