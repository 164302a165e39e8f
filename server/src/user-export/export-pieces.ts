// The JSON of an export, in pieces: one page of rows is in memory at a time, however much an app stores about a user.
import { Prisma } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { timestamp } from '../lib/timestamp.js';
import type { App } from '../model/app.js';
import { exportedNames, type UserColumns, userColumnList } from '../model/user.js';
import { toWire } from '../model/wire.js';
import { recordSection, rowsOf, sections } from './sections.js';

type Profile = Pick<UserColumns, (typeof exportedNames)[number]> & { hasPassword: boolean };

type Collection = { id: string; name: string };

export async function* exportPieces(
  { query }: Pick<Deps, 'query'>,
  app: App,
  uid: string,
  now: Date,
): AsyncGenerator<string> {
  const ids = { appId: app.id, uid };
  const [row] = await query<Profile>(Prisma.sql`SELECT ${userColumnList(exportedNames, 'u')},
    u.password_hash IS NOT NULL AS "hasPassword" FROM users AS u WHERE u.app_id = ${app.id} AND u.id = ${uid}`);
  const profile = row && { ...toWire(row, exportedNames), has_password: row.hasPassword };
  yield `{\n"app": ${JSON.stringify(app.name)},\n"exported_at": "${timestamp(now)}",\n"profile": ${JSON.stringify(profile ?? null)}`;
  for (const section of sections) {
    yield `,\n"${section.name}": [`;
    yield* listOf(rowsOf(query, section, ids, now));
    yield ']';
  }
  const collections = await query<Collection>(Prisma.sql`SELECT id, name FROM collections
    WHERE app_id = ${app.id} AND name IS NOT NULL ORDER BY name`);
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
