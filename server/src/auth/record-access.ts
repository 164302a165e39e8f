// Refuses unauthorized requests on records before their bodies are read, so that they cannot cause a megabyte to be parsed.
// Secret keys and team members have full access.
import { contract } from '@foyer/contract';
import type { AppRoute } from '@ts-rest/core';
import type { NextFunction, Request, Response } from 'express';
import type { Action } from '../data/records/access-rules.js';
import { checkAccess } from '../data/records/check-access.js';
import type { Deps } from '../deps.js';
import { routeName } from '../http/wrap-handlers.js';
import { actsForApp } from '../model/call.js';

/** The access mode that each request with a body needs. */
const actions = new Map<string, Action>([
  [routeName(contract.data.create), 'create'],
  [routeName(contract.data.replace), 'create'],
  [routeName(contract.data.merge), 'change'],
  [routeName(contract.data.query), 'read'],
]);

export function recordAccess(deps: Pick<Deps, 'query'>) {
  return (req: Request, _res: Response, next: NextFunction): void => {
    const { call, params, tsRestRoute } = req;
    const action = actions.get(routeName(tsRestRoute as AppRoute));
    if (!call || action === undefined || actsForApp(call)) {
      next();
      return;
    }
    const who = call.session ? 'user' : 'anonymous';
    const client = { appId: call.app.id, who } as const;
    checkAccess(deps, client, action, params.collection).then(() => next(), next);
  };
}
