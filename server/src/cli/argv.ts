// Shared by all commands: argument parsing, opening the store, and output.
import { parseArgs } from 'node:util';
import { errorMap } from '@foyer/contract';
import type { z } from 'zod';
import { findAppNamed } from '../apps/create-app.js';
import type { StoreDeps } from '../deps.js';
import { type App, consoleSlug, isConsole } from '../model/app.js';

/** An invalid command line; the usage is printed after the message. */
export class UsageError extends Error {}

export type Print = (line: string) => void;

/** Opens the installation that the environment configures, and closes it afterwards. */
export type WithStore = (work: (deps: StoreDeps, print: Print) => Promise<void>) => Promise<void>;

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

export type Parsed = { options: Record<string, unknown>; positionals: string[] };

/** Parses options and one positional argument per element of `names`, which describe them in errors. */
export function parse(argv: string[], options: Options, ...names: string[]): Parsed {
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({ args: argv, options, strict: true, allowPositionals: names.length > 0 });
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    // Node appends advice for programmers.
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'(-[^']*)'/.exec(message) : null;
    throw new UsageError(unknown ? `there is no option ${JSON.stringify(unknown[1])}` : message);
  }
  const { values, positionals } = parsed;
  const missing = names[positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing`);
  requireNoMore(positionals.slice(names.length));
  return { options: values, positionals };
}

/** The option as the schema of the API accepts it. */
export function checked<Value>(shape: z.ZodType<Value>, option: string, given: unknown): Value {
  const result = shape.safeParse(given, { error: errorMap });
  if (result.success) return result.data;
  throw new UsageError(
    given === undefined ? `--${option} is required` : `--${option} ${result.error.issues[0]?.message}`,
  );
}

export function requireNoMore(argv: string[]): void {
  if (argv.length > 0) throw new UsageError(`${JSON.stringify(argv[0])} is an unexpected argument`);
}

export async function appNamed(deps: StoreDeps, name: string): Promise<App> {
  const app = await findAppNamed(deps, name);
  if (app && isConsole(app)) {
    throw new Error(
      `the app ${consoleSlug} is reserved for the accounts of the team; its members are managed in the dashboard, and with \`foyer console\``,
    );
  }
  if (!app) throw new Error(`there is no app with the id or slug ${JSON.stringify(name)}`);
  return app;
}
