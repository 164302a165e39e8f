// The notes of the team on a user.
import { limits, Ulid, type UserNote } from '@foyer/contract';
import { requireUser, type UserIds } from '../accounts/account.js';
import { lockKnownUser } from '../admin-users/known-user.js';
import { type Names, namesOf } from '../audit/names.js';
import { change } from '../change.js';
import type { Deps } from '../deps.js';
import type { StoreResponse } from '../idempotency/stored-response.js';
import { decodeCursor } from '../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../lib/page.js';
import { timestamp } from '../lib/timestamp.js';
import type { App } from '../model/app.js';
import type { Call } from '../model/call.js';
import { insertNote, listNoteRows, type NoteRow } from './store.js';

export async function addNote(
  deps: Deps,
  call: Call,
  { uid, text }: { uid: string; text: string },
  keep: StoreResponse<UserNote>,
): Promise<UserNote> {
  const { app, actor } = call;
  const ids = { appId: app.id, uid };
  const names = await namesOf(deps, app, [actor.name], { users: true });
  return change(deps, call, async (tx, record) => {
    await lockKnownUser(tx, ids);
    const createdAt = deps.clock.now();
    const row = { id: deps.random.ulid(createdAt), text, actor: actor.name, createdAt };
    await insertNote(tx, ids, row, limits.notesPerUser);
    await record.audit({ action: 'user.note_added', uid, details: { note: row.id } });
    const note = serializeNote(row, names);
    await keep(tx, note);
    return note;
  });
}

export async function listNotes(
  deps: Pick<Deps, 'prisma' | 'query'>,
  app: App,
  uid: string,
  { limit, cursor }: PageInput,
): Promise<Page<UserNote>> {
  const ids: UserIds = await requireUser(deps.query, { appId: app.id, uid });
  const [before] = cursor === undefined ? [] : decodeCursor(cursor, Ulid);
  const rows = await listNoteRows(deps.prisma, ids, before, limit + 1);
  const names = await namesOf(
    deps,
    app,
    rows.map(({ actor }) => actor),
    { users: true },
  );
  return pageOf(
    rows,
    limit,
    ({ id }) => [id],
    (row) => serializeNote(row, names),
  );
}

function serializeNote({ id, text, actor, createdAt }: NoteRow, names: Names): UserNote {
  return { id, text, actor, actor_name: names.get(actor) ?? null, created_at: timestamp(createdAt) };
}
