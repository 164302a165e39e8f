// The command line `foyer` as a separate process, from the build made before the tests.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { quickStart } from './quick-start.js';

const folder = fileURLToPath(new URL('..', import.meta.url));
type Environment = Record<string, string | undefined>;
type Foyer = ChildProcessByStdio<null, Readable, Readable>;

// A failing test leaves no process running.
const running = new Set<Foyer>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function foyer(words: string[], env: Environment): Foyer {
  // A program needs these variables to run; a test sets every variable of Foyer explicitly.
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(process.execPath, [...quickStart, 'dist/cli.js', ...words], {
    cwd: folder,
    env: { PATH, HOME, TMPDIR, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

/** NODE_OPTIONS of a process that writes at its exit how many modules it has loaded whose paths contain the text. */
export function reportLoaded(text: string): string {
  const report = `process.on('exit', () => process.stderr.write('loaded ' + Object.keys(
    process.getBuiltinModule('node:module')._cache).filter((path) => path.includes('${text}')).length))`;
  return `--import data:text/javascript,${encodeURIComponent(report)}`;
}

export type Outcome = { code: number | null; stdout: string; stderr: string };

/** Runs a command to its end, or, if a pattern is given, until its stderr matches it: then it is ended with SIGKILL. */
export function runFoyer(words: string[], env: Environment = {}, pattern?: RegExp): Promise<Outcome> {
  const child = foyer(words, env);
  const stdout = textOf(child.stdout);
  const stderr = textOf(child.stderr);
  child.stderr.on('data', () => {
    if (pattern?.test(stderr())) child.kill('SIGKILL');
  });
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, stdout: stdout(), stderr: stderr() }));
  });
}

/** Runs a command whose reader closes the pipe after the first piece of its output, as `head` does. */
export function runFoyerUntilRead(words: string[], env: Environment): Promise<Omit<Outcome, 'stdout'>> {
  const child = foyer(words, env);
  const stderr = textOf(child.stderr);
  child.stdout.once('data', () => child.stdout.destroy());
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, stderr: stderr() }));
  });
}

/** An answer that never comes, as from another program on the port, is asked for again. */
const healthMilliseconds = 5_000;

export type FoyerProcess = Awaited<ReturnType<typeof startFoyer>>;

/** Resolves once the service answers; rejects with its output if it exits first. */
export async function startFoyer(env: Environment & { PORT: string }, words = ['start']) {
  const child = foyer(words, env);
  const stdout = textOf(child.stdout);
  const stderr = textOf(child.stderr);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  let running = true;
  void ended.then(() => {
    running = false;
  });
  const health = `http://127.0.0.1:${env.PORT}/healthz`;
  while (
    !(await fetch(health, { signal: AbortSignal.timeout(healthMilliseconds) }).then(
      (answer) => answer.ok,
      () => false,
    ))
  ) {
    if (!running) throw new Error(`foyer ${words[0]} ended: ${stderr()}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return {
    pid: child.pid as number,
    /** All output so far. */
    stdout,
    stderr,
    isRunning: () => running,
    /** Sends the signal, waits for the process to exit and returns its exit code. */
    kill(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGKILL') {
      child.kill(signal);
      return ended;
    },
  };
}

function textOf(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}
