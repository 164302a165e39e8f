// foyer export users: all users of an app as JSON lines on stdout. README.md describes a line.
import { change } from '../../change.js';
import { byCommandLine } from '../../model/actor.js';
import { appNamed, parse, UsageError, type WithStore } from '../argv.js';
import { progressOn, type Screen } from '../progress.js';
import { countUsers } from './store.js';
import { userLines } from './user-lines.js';

/** Writes to stdout, and resolves once the text is taken. Rejects with EPIPE when the reader has gone. */
export type WriteOut = (text: string) => Promise<void>;

/** What a shell reports of a program that SIGPIPE ended: a script with `pipefail` notices that lines are missing. */
const exitCodeOfClosedPipe = 141;

/** Returns the exit code. */
export async function exportUsers(
  argv: string[],
  withStore: WithStore,
  { write, stderr }: { write: WriteOut; stderr: Screen },
): Promise<number> {
  const { options, positionals } = parse(
    argv,
    { app: { type: 'string' }, 'with-hashes': { type: 'boolean' } },
    'users',
  );
  if (positionals[0] !== 'users') throw new UsageError('only users can be exported: foyer export users');
  if (options.app === undefined) throw new UsageError('--app is required: the id or slug of an app');
  const withHashes = options['with-hashes'] === true;
  let isClosed = false;
  await withStore(async (deps) => {
    const app = await appNamed(deps, options.app as string);
    // At the start, so that an export that is interrupted has an entry too.
    await change(deps, byCommandLine(app.id), (_tx, record) =>
      record.audit({ action: 'users.exported', target: `app:${app.id}`, details: { hashes: withHashes } }),
    );
    const total = await countUsers(deps.query, app.id);
    const progress = progressOn(stderr);
    try {
      for await (const { text, users } of userLines(deps, { appId: app.id, withHashes })) {
        await write(text);
        // Users may have signed up since they were counted.
        progress.show(Math.min(1, users / Math.max(1, total)), `${users.toLocaleString('en')} users`);
      }
    } catch (error) {
      if (!isBrokenPipe(error)) throw error;
      isClosed = true;
    } finally {
      progress.end();
    }
  });
  return isClosed ? exitCodeOfClosedPipe : 0;
}

function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
