// The JSON of an export, in pieces: one page of rows is in memory at a time, however much an app stores about a user.
import type { Deps } from '../deps.js';
import { timestamp } from '../lib/timestamp.js';
import type { App } from '../model/app.js';
import { exportedNames } from '../model/user.js';
import { toWire } from '../model/wire.js';
import { recordSection, sections } from './sections.js';
import { findProfile, listCollections, rowsOf } from './store.js';

export async function* exportPieces(
  { query }: Pick<Deps, 'query'>,
  app: App,
  uid: string,
  now: Date,
): AsyncGenerator<string> {
  const ids = { appId: app.id, uid };
  const row = await findProfile(query, ids);
  const profile = row && { ...toWire(row, exportedNames), has_password: row.hasPassword };
  yield `{\n"app": ${JSON.stringify(app.name)},\n"exported_at": "${timestamp(now)}",\n"profile": ${JSON.stringify(profile ?? null)}`;
  for (const section of sections) {
    yield `,\n"${section.name}": [`;
    yield* listOf(rowsOf(query, section, ids, now));
    yield ']';
  }
  const collections = await listCollections(query, app.id);
  yield ',\n"records": {';
  let separator = '';
  for (const { id, name } of collections) {
    yield `${separator}\n${JSON.stringify(name)}: [`;
    yield* listOf(rowsOf(query, recordSection(id), ids, now));
    yield ']';
    separator = ',';
  }
  yield '}\n}\n';
}

async function* listOf(rows: AsyncGenerator<string>): AsyncGenerator<string> {
  let separator = '\n';
  for await (const json of rows) {
    yield separator + json;
    separator = ',\n';
  }
}
