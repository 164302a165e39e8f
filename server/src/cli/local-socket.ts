// A running service on the embedded database locks its data directory, so a second process cannot open it. The service runs
// the short commands itself: it listens on a socket in DATA_DIR that only its own user can open.
import { chmodSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Deps } from '../deps.js';
import { answerOfService } from './app-files/access.js';
import { apps } from './apps.js';
import { type Print, UsageError } from './argv.js';
import { consoleCommand } from './console.js';
import { keys } from './keys.js';
import { sentenceOf } from './sentence-of.js';

const commands = new Map<string | undefined, typeof apps>([
  ['apps', apps],
  ['keys', keys],
  ['console', consoleCommand],
]);
/** A change of the remote config is the longest. */
const maxRequestBytes = 8 * 1_024 * 1_024;
const timeoutMilliseconds = 600_000;

type Reply = { line: string } | { done: true } | { error: string; misused: boolean };

/** One that a running service can execute. */
export function shortCommand(name: string | undefined) {
  return commands.get(name);
}

/** Returns a function that stops the listener. */
export async function serveCommands(deps: Deps): Promise<() => Promise<void>> {
  const path = socketPath(deps.config.dataDir);
  // This process holds the lock of the data directory, so no other process listens there.
  rmSync(path, { force: true });
  const server = createServer((socket) => answer(deps, socket));
  // `listen` creates the socket synchronously, so its permissions are never wider.
  const umask = process.umask(0o177);
  const listening = new Promise<void>((done, failed) => {
    server.on('error', failed).listen(path, done);
  });
  process.umask(umask);
  try {
    await listening;
    chmodSync(path, 0o600);
  } catch (err) {
    deps.logger.warn(
      { err },
      'commands such as `foyer apps create` need the service stopped: no local socket',
    );
    return async () => {};
  }
  // It also removes the socket.
  return async () => void server.close();
}

function answer(deps: Deps, socket: Socket): void {
  const reply = (message: Reply) => socket.writable && socket.write(`${JSON.stringify(message)}\n`);
  let request = '';
  socket.setTimeout(timeoutMilliseconds, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.setEncoding('utf8').on('data', (text: string) => {
    request += text;
    if (request.length > maxRequestBytes) socket.destroy();
    if (!request.endsWith('\n') || socket.destroyed) return;
    socket.removeAllListeners('data');
    run(deps, request, (line) => reply({ line }))
      .then(
        () => reply({ done: true }),
        (error: unknown) => reply({ error: sentenceOf(error), misused: error instanceof UsageError }),
      )
      .finally(() => socket.end());
  });
}

/** Rejects for a request that is not JSON, which a program other than this one may have sent. */
async function run(deps: Deps, request: string, print: Print): Promise<void> {
  const [command, ...rest] = JSON.parse(request) as string[];
  if (command === 'app-files') {
    print(await answerOfService(deps, rest));
    deps.apps.forget();
    return;
  }
  const work = shortCommand(command);
  if (!work) throw new Error(`the running service has no command ${JSON.stringify(command)}`);
  await work(rest, (change) => change(deps, print));
  deps.apps.forget();
}

/** Runs the command in the running service. False if none listens. */
export async function runInService(dataDir: string, argv: string[], print: Print): Promise<boolean> {
  const socket = await connected(socketPath(dataDir));
  if (!socket) return false;
  socket.write(`${JSON.stringify(argv.map(withWholePath))}\n`);
  for await (const text of createInterface({ input: socket })) {
    const reply = JSON.parse(text) as Reply;
    if ('error' in reply) throw reply.misused ? new UsageError(reply.error) : new Error(reply.error);
    if ('done' in reply) return true;
    print(reply.line);
  }
  throw new Error('the service stopped before the command finished; run the command again');
}

function connected(path: string): Promise<Socket | null> {
  return new Promise((done) => {
    const socket = createConnection(path);
    socket.once('connect', () => done(socket));
    socket.once('error', () => done(null));
  });
}

/** The service reads `name=@key.p8`, and may have another working directory. */
function withWholePath(word: string): string {
  const [, name, file] = /^([\w.][\w.-]*=)@(.+)$/.exec(word) ?? [];
  return file === undefined ? word : `${name}@${resolve(file)}`;
}

/** The shorter form: the system limits the path to about a hundred bytes. */
function socketPath(dataDir: string): string {
  const whole = resolve(join(dataDir, 'commands.sock'));
  const short = relative(process.cwd(), whole);
  return short.length < whole.length ? short : whole;
}
