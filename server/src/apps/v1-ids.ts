// The numeric ids of v1, counted on the app's row: fragments for the statements that assign and reserve them.
import { Prisma } from '@foyer/prisma';

/** Takes the app's next numeric id, as `last_v1_id`, where `when` holds. */
export function nextV1IdOf(appId: string, when: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`UPDATE apps SET last_v1_id = last_v1_id + 1 WHERE id = ${appId} AND ${when} RETURNING last_v1_id`;
}

/** Reserves the ids up to `atLeast`; returns the highest that is taken or reserved, as `lastV1Id`. */
export function raiseLastV1IdOf(appId: string, atLeast: number): Prisma.Sql {
  return Prisma.sql`UPDATE apps SET last_v1_id = GREATEST(last_v1_id, ${atLeast}::int) WHERE id = ${appId}
    RETURNING last_v1_id AS "lastV1Id"`;
}
