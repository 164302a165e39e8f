// HTTP of records. Each call is open to all three kinds of callers; the operation judges by the collection's access mode.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { actorOf, callerOf } from '../http/caller.js';
import type { SentFields } from './accept-fields.js';
import type { DataCaller } from './caller.js';
import type { Fields } from './merge-rules.js';
import { etagOf, type Preconditions } from './preconditions.js';
import { queryTurns } from './query-turns.js';
import { listRecords, readRecord } from './read-record.js';
import { presentRecord, type RecordRow } from './record.js';
import { runQuery } from './run-query.js';
import { createRecord, deleteRecord, mergeRecord, replaceRecord } from './write-record.js';

type Called = Parameters<typeof callerOf>[0] & { jsonText?: string };
type ConditionHeaders = { [Name in 'if-match' | 'if-none-match']?: string | undefined };
type Answering = { setHeader(name: string, value: string): unknown };

export function dataRoutes(deps: Deps) {
  const turns = queryTurns(deps.config.databaseUrl ? 'postgresql' : 'embedded');
  return initServer().router(contract.data, {
    create: async ({ req, res, params, body }) => {
      const row = await createRecord(deps, dataCallerOf(req), params.collection, sent(req, body));
      return { status: 201, body: answer(res, params.collection, row) };
    },
    list: async ({ req, params, query }) => ({
      status: 200,
      body: { data: await listRecords(deps, dataCallerOf(req), params.collection, query) },
    }),
    get: async ({ req, res, params }) => {
      const row = await readRecord(deps, dataCallerOf(req), params);
      return { status: 200, body: answer(res, params.collection, row) };
    },
    replace: async ({ req, res, params, headers, body }) => {
      const caller = dataCallerOf(req);
      const done = await replaceRecord(deps, caller, params, sent(req, body), preconditionsOf(headers));
      return { status: done.created ? 201 : 200, body: answer(res, params.collection, done.row) };
    },
    merge: async ({ req, res, params, headers, body }) => {
      const row = await mergeRecord(
        deps,
        dataCallerOf(req),
        params,
        sent(req, body),
        preconditionsOf(headers),
      );
      return { status: 200, body: answer(res, params.collection, row) };
    },
    delete: async ({ req, params, headers }) => {
      await deleteRecord(deps, dataCallerOf(req), params, preconditionsOf(headers));
      return { status: 204, body: undefined };
    },
    query: async ({ req, params, body }) => {
      const caller = dataCallerOf(req);
      const page = await runQuery(deps, turns, caller, params.collection, body, req.jsonText ?? '');
      return { status: 200, body: { data: page } };
    },
  });
}

function dataCallerOf(req: Called): DataCaller {
  const { app, session, secretKey } = callerOf(req);
  const user = session && { appId: app.id, userId: session.uid, sessionId: session.sessionId };
  const who = secretKey ? 'backend' : user ? 'user' : 'nobody';
  return { appId: app.id, who, user, ...(secretKey && { actor: actorOf(req) }) };
}

function sent(req: Called, { fields }: { fields: Fields }): SentFields {
  return { fields, text: req.jsonText ?? '' };
}

function preconditionsOf(headers: ConditionHeaders): Preconditions {
  return { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] };
}

function answer(res: Answering, collection: string, row: RecordRow) {
  res.setHeader('ETag', etagOf(row.version));
  return { data: presentRecord(collection, row) };
}
