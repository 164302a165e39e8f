// What every command is made of: its words, where it works, and how it speaks.
import { AsyncLocalStorage } from 'node:async_hooks';
import { parseArgs } from 'node:util';
import { listApps } from '../apps/create-app.js';
import type { StoreDeps } from '../deps.js';
import type { App } from '../model/app.js';

/** The command was not understood: the sentence is followed by how it is used. */
export class UsageError extends Error {}

/** Opens the installation that the environment names, and closes it after the work. */
export type WithStore = (work: (deps: StoreDeps) => Promise<void>) => Promise<void>;

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

export type Parsed = { options: Record<string, unknown>; positionals: string[] };

/** The options, and as many other words as `names` has, which say what is missing. */
export function parse(words: string[], options: Options, ...names: string[]): Parsed {
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({ args: words, options, strict: true, allowPositionals: names.length > 0 });
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    // Node goes on with advice for those who call it.
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'(-[^']*)'/.exec(message) : null;
    throw new UsageError(unknown ? `there is no option ${JSON.stringify(unknown[1])}` : message);
  }
  const { values, positionals } = parsed;
  const missing = names[positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing`);
  requireNoMore(positionals.slice(names.length));
  return { options: values, positionals };
}

export function requireNoMore(words: string[]): void {
  if (words.length > 0) throw new UsageError(`${JSON.stringify(words[0])} is one word too many`);
}

export async function appNamed(deps: StoreDeps, name: string): Promise<App> {
  const app = (await listApps(deps)).find((one) => one.id === name || one.slug === name);
  if (!app) throw new Error(`there is no app with the id or slug ${JSON.stringify(name)}`);
  return app;
}

type Print = (line: string) => void;
const printers = new AsyncLocalStorage<Print>();

export function say(line: string): void {
  const print = printers.getStore();
  if (print) print(line);
  else process.stdout.write(`${line}\n`);
}

/** What `work` says goes to `print` instead of stdout. */
export function printTo(print: Print, work: () => Promise<void>): Promise<void> {
  return printers.run(print, work);
}
