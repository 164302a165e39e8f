// Routes of records. Every endpoint accepts all kinds of callers; the operation checks the collection's access mode.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { CountedRequest } from '../../../engines/http-guard/index.js';
import { consumeBytes, consumeFurtherBytes } from '../../../engines/limiter/index.js';
import type { Deps } from '../../deps.js';
import { requireCall } from '../../http/call.js';
import { noContent } from '../../http/data-answer.js';
import { hasCurrent, jsonText, notModified } from '../../http/json-answer.js';
import { closeOf } from '../../http/with-turns.js';
import type { Fields } from '../../lib/json-rules.js';
import { actsForApp, sessionIdsOf } from '../../model/call.js';
import type { ReadResources } from '../query/read-resources.js';
import type { RecordPage, RecordRow } from '../query/record-row.js';
import type { DataCaller } from './caller.js';
import { etagOf } from './preconditions.js';
import { listRecords, queryRecords, readRecord } from './read-record.js';
import { pageText, recordText } from './record.js';
import type { SentFields } from './validate-fields.js';
import { createRecord, deleteRecord, mergeRecord, replaceRecord } from './write-record.js';

const budget = 'record-kilobytes';

type Called = Parameters<typeof requireCall>[0] & { jsonText?: string };
type ConditionHeaders = { [Name in 'if-match' | 'if-none-match']?: string | undefined };
type Answering = { setHeader(name: string, value: string): unknown };

export function dataRoutes(deps: Deps) {
  const readResources = (req: CountedRequest & Called): ReadResources => ({
    takeTurn: (work, milliseconds) =>
      deps.turns.take(work, requireCall(req), { milliseconds, signal: closeOf(req.res) }),
    reserve: (bytes) => deps.byteBudget.reserve(req, bytes),
  });

  /** The bytes of the body, which count towards the budget of the user. */
  async function consumeSent(req: Called): Promise<number> {
    const { app, uid } = requireCall(req);
    const bytes = Buffer.byteLength(req.jsonText ?? '');
    if (uid !== null) await consumeBytes(deps.limiter, budget, { app, uid }, bytes);
    return bytes;
  }

  /** A merge writes the whole record, however little was sent, and before the quota is compared. */
  async function consumeMerged(req: Called, bytes: { known: number; written: number }): Promise<void> {
    const { app, uid } = requireCall(req);
    if (uid !== null) await consumeFurtherBytes(deps.limiter, budget, { app, uid }, bytes);
  }

  return initServer().router(contract.data, {
    create: async ({ req, res, params, body }) => {
      await consumeSent(req);
      const row = await createRecord(deps, dataCallerOf(req), params.collection, sent(req, body));
      return { status: 201, body: answer(res, params.collection, row) };
    },
    list: async ({ req, res, params, query }) => {
      const page = await listRecords(deps, readResources(req), dataCallerOf(req), { ...query, ...params });
      return { status: 200, body: answerPage(res, params.collection, page) };
    },
    get: async ({ req, res, params, headers }) => {
      const row = await readRecord(deps, readResources(req), dataCallerOf(req), params);
      if (hasCurrent(res, headers['if-none-match'], etagOf(row.version))) return notModified;
      return { status: 200, body: answer(res, params.collection, row) };
    },
    replace: async ({ req, res, params, headers, body }) => {
      const caller = dataCallerOf(req);
      await consumeSent(req);
      const done = await replaceRecord(deps, caller, targetOf(params, headers), sent(req, body));
      return { status: done.created ? 201 : 200, body: answer(res, params.collection, done.row) };
    },
    merge: async ({ req, res, params, headers, body }) => {
      const caller = dataCallerOf(req);
      const known = await consumeSent(req);
      let written = 0;
      const onWrite = (bytes: number) => {
        written = bytes;
      };
      const target = { ...targetOf(params, headers), onWrite };
      const row = await mergeRecord(deps, caller, target, sent(req, body)).finally(() =>
        consumeMerged(req, { known, written }),
      );
      return { status: 200, body: answer(res, params.collection, row) };
    },
    delete: async ({ req, params, headers }) => {
      await deleteRecord(deps, dataCallerOf(req), targetOf(params, headers));
      return noContent;
    },
    query: async ({ req, res, params, body }) => {
      const { collection } = params;
      const query = { collection, input: body, text: req.jsonText ?? '' };
      const page = await queryRecords(deps, readResources(req), dataCallerOf(req), query);
      return { status: 200, body: answerPage(res, collection, page) };
    },
  });
}

function dataCallerOf(req: Called): DataCaller {
  const { app, actor, secretKey, member, session } = requireCall(req);
  if (actsForApp({ secretKey, member })) return { app, actor, who: 'backend', user: null };
  const user = session && sessionIdsOf({ app, session });
  return { app, actor, who: user ? 'user' : 'anonymous', user };
}

function sent(req: Called, { fields }: { fields: Fields }): SentFields {
  return { fields, text: req.jsonText ?? '' };
}

function targetOf(params: { collection: string; id: string }, headers: ConditionHeaders) {
  const preconditions = { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] };
  return { ...params, preconditions };
}

function answer(res: Answering, collection: string, row: RecordRow) {
  res.setHeader('ETag', etagOf(row.version));
  return jsonText(res, `{"data":${recordText(collection, row)}}`);
}

function answerPage(res: object, collection: string, page: RecordPage) {
  return jsonText(res, `{"data":${pageText(collection, page)}}`);
}
