// Routes of records. Every endpoint accepts all kinds of callers; the operation checks the collection's access mode.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { CountedRequest, Deps } from '../../deps.js';
import { actorOf, actsForApp, callerOf } from '../../http/caller.js';
import { noContent } from '../../http/data-answer.js';
import { jsonText } from '../../http/json-answer.js';
import { networkOf } from '../../lib/http/ip-network.js';
import type { Fields } from '../../lib/json-rules.js';
import { concurrencyLimits, type ReadResources } from '../query/concurrency-limit.js';
import { runQuery } from '../query/run-query.js';
import type { DataWriter } from './caller.js';
import { etagOf, type Preconditions } from './preconditions.js';
import { listRecords, readRecord } from './read-record.js';
import { pageText, type RecordPage, type RecordRow, recordText } from './record.js';
import type { SentFields } from './validate-fields.js';
import { createRecord, deleteRecord, mergeRecord, replaceRecord } from './write-record.js';

type Called = Parameters<typeof callerOf>[0] & { jsonText?: string };
type ConditionHeaders = { [Name in 'if-match' | 'if-none-match']?: string | undefined };
type Answering = { setHeader(name: string, value: string): unknown };

export function dataRoutes(deps: Deps) {
  const concurrency = concurrencyLimits(deps.config.databaseUrl ? 'postgresql' : 'embedded');
  const readResources = (req: CountedRequest & Called): ReadResources => ({
    concurrency,
    network: actsForApp(callerOf(req)) ? null : networkOf(callerOf(req).ipAddress),
    reserve: (bytes) => deps.byteBudget.reserve(req, bytes),
  });
  return initServer().router(contract.data, {
    create: async ({ req, res, params, body }) => {
      const row = await createRecord(deps, dataCallerOf(req), params.collection, sent(req, body));
      return { status: 201, body: answer(res, params.collection, row) };
    },
    list: async ({ req, res, params, query }) => {
      const { collection } = params;
      const page = await listRecords(deps, readResources(req), dataCallerOf(req), collection, query);
      return { status: 200, body: answerPage(res, collection, page) };
    },
    get: async ({ req, res, params }) => {
      const row = await readRecord(deps, readResources(req), dataCallerOf(req), params);
      return { status: 200, body: answer(res, params.collection, row) };
    },
    replace: async ({ req, res, params, headers, body }) => {
      const caller = dataCallerOf(req);
      const done = await replaceRecord(deps, caller, params, sent(req, body), preconditionsOf(headers));
      return { status: done.created ? 201 : 200, body: answer(res, params.collection, done.row) };
    },
    merge: async ({ req, res, params, headers, body }) => {
      const caller = dataCallerOf(req);
      const row = await mergeRecord(deps, caller, params, sent(req, body), preconditionsOf(headers));
      return { status: 200, body: answer(res, params.collection, row) };
    },
    delete: async ({ req, params, headers }) => {
      await deleteRecord(deps, dataCallerOf(req), params, preconditionsOf(headers));
      return noContent;
    },
    query: async ({ req, res, params, body }) => {
      const { collection } = params;
      const text = req.jsonText ?? '';
      const page = await runQuery(deps, readResources(req), dataCallerOf(req), collection, body, text);
      return { status: 200, body: answerPage(res, collection, page) };
    },
  });
}

function dataCallerOf(req: Called): DataWriter {
  const caller = callerOf(req);
  const { app, session } = caller;
  const shared = { appId: app.id, userQuotaBytes: app.settings.data.user_quota_bytes };
  if (actsForApp(caller)) return { ...shared, who: 'backend', user: null, actor: actorOf(req) };
  const user = session && { appId: app.id, uid: session.uid, sessionId: session.sessionId };
  return { ...shared, who: user ? 'user' : 'anonymous', user };
}

function sent(req: Called, { fields }: { fields: Fields }): SentFields {
  return { fields, text: req.jsonText ?? '' };
}

function preconditionsOf(headers: ConditionHeaders): Preconditions {
  return { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] };
}

function answer(res: Answering, collection: string, row: RecordRow) {
  res.setHeader('ETag', etagOf(row.version));
  return jsonText(res, `{"data":${recordText(collection, row)}}`);
}

function answerPage(res: object, collection: string, page: RecordPage) {
  return jsonText(res, `{"data":${pageText(collection, page)}}`);
}
