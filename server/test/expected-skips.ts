// The tests that a run may skip, and why. In a strict run (FOYER_TEST_STRICT=1, as in CI) any other skip fails the run,
// and so does an entry that skips nothing: a missing program or server must not turn tests off unnoticed.

export type Circumstance =
  /** DATABASE_URL is not set: `.ci/run` runs the file again on PostgreSQL. */
  | 'embedded'
  /** FOYER_TEST_THOROUGH is not set: one of the runs of `.ci/run` is thorough. */
  | 'quick'
  /** Depends on what the machine permits; such an entry may skip nothing. */
  | 'machine';

export type ExpectedSkip = {
  file: string;
  /** The start of the full names of the tests. */
  name: string;
  in: Circumstance;
  reason: string;
};

/** The note of a test that skips itself on the embedded database (`testOnServer` of `blocked.ts`); it needs no entry. */
export const needsConnections = 'needs a database that serves several calls at once';

const entry = (file: string, name: string, when: Circumstance, reason: string): ExpectedSkip => ({
  ...{ file, name, reason },
  in: when,
});
const server = 'the embedded database is no server that can be away, restart or refuse';
const locks = 'the embedded database has one connection, so nothing waits for another';

export const expectedSkips: ExpectedSkip[] = [
  entry('prisma/src/away.test.ts', 'on PostgreSQL', 'embedded', server),
  entry('prisma/src/migrate.test.ts', 'an instance that waits too long', 'embedded', locks),
  entry('prisma/src/migrate.test.ts', 'a migration of a table that a long', 'embedded', locks),
  entry('prisma/src/pipeline.test.ts', 'on PostgreSQL', 'embedded', locks),
  entry('prisma/src/postgresql-client.test.ts', 'on PostgreSQL', 'embedded', server),
  entry('prisma/src/testing.test.ts', 'on PostgreSQL', 'embedded', server),
  entry('server/src/cli.test.ts', 'a first start without an app', 'embedded', 'embedded, an app is created'),
  entry(
    'server/src/cli.test.ts',
    'rotate-keys takes effect',
    'embedded',
    'one process has the embedded database',
  ),
  entry('server/engines/queue/queue.test.ts', 'a job that completes during a', 'embedded', server),
  entry('server/test/database-away.test.ts', 'on PostgreSQL', 'embedded', server),
  entry('server/test/pgbouncer.test.ts', 'behind PgBouncer', 'embedded', server),
  entry('server/test/read-only-database.test.ts', 'on PostgreSQL', 'embedded', server),
  entry('server/src/cli/dev.test.ts', 'dev keeps its data', 'quick', 'starts the packed program twice'),
  entry('server/src/cli/dev.test.ts', 'the packed program runs', 'quick', 'packs the program'),
  entry('server/proofs/fuzz/fuzz.test.ts', '', 'quick', 'server/test/bad-input.test.ts covers every route'),
  entry(
    'server/test/upload-process.test.ts',
    'a full disk is answered 503',
    'machine',
    'mounts a disk, as root',
  ),
];

/**
 * The source of a file whose tests are skipped on the embedded database says so itself, and needs no entry either;
 * `ci.test.ts` sees to it that they run on PostgreSQL.
 */
export const onServerOnly =
  /\bskipIf\(!process\.env\.DATABASE_URL\b|\brunIf\(process\.env\.DATABASE_URL\b|\bconst server = process\.env\.DATABASE_URL\b/;

export type Run = {
  /** The files that ran, with the tests that were skipped in them: their full names, and the notes of `skip`. */
  files: { file: string; source: string; skipped: { name: string; note?: string | undefined }[] }[];
  embedded: boolean;
  quick: boolean;
};

/** What is wrong with the skips of a run, a sentence each. */
export function skipProblems(run: Run, expected: ExpectedSkip[] = expectedSkips): string[] {
  const holds = (when: Circumstance) => when === 'machine' || run[when];
  return run.files.flatMap(({ file, source, skipped }) => {
    const entries = expected.filter((entry) => entry.file === file && holds(entry.in));
    const unexpected = skipped.filter(
      ({ name, note }) =>
        !(run.embedded && (note === needsConnections || onServerOnly.test(source))) &&
        !entries.some((entry) => name.startsWith(entry.name)),
    );
    const stale = entries.filter(
      (entry) => entry.in !== 'machine' && !skipped.some(({ name }) => name.startsWith(entry.name)),
    );
    return [
      ...unexpected.map(({ name }) => `${file} > ${name} was skipped`),
      ...stale.map(
        (entry) => `${file} > ${entry.name} was expected to be skipped (${entry.in}), and was not`,
      ),
    ];
  });
}
