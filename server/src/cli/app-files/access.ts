// How the commands on files reach an app: the database, a running service on this machine, or any service over HTTP.
import { AppFiles, type AppFilesChange, AppliedFiles, errorMap } from '@foyer/contract';
import * as z from 'zod';
import { applyGroup } from '../../app-files/apply-group.js';
import { readAppFiles } from '../../app-files/read-app-files.js';
import type { ChangeAppDeps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { commandLine } from '../../model/actor.js';
import { updateSettings } from '../../settings/settings.js';
import { appNamed } from '../argv.js';

export type AppAccess = {
  read(): Promise<AppFiles>;
  apply(change: AppFilesChange): Promise<AppliedFiles>;
};

/** A refusal by the rules of the API, wherever it was made. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly fields: Record<string, string[]>,
  ) {
    super(message);
  }
}

export function databaseAccess(deps: ChangeAppDeps, name: string): AppAccess {
  return {
    read: async () => readAppFiles(deps, (await appNamed(deps, name)).id),
    async apply(change) {
      const call = { app: await appNamed(deps, name), actor: commandLine };
      return applyGroup(deps, call, change, (patch, requireCurrent) =>
        updateSettings(deps, call, patch, { requireCurrent }),
      );
    },
  };
}

const Envelope = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    fields: z.record(z.string(), z.array(z.string())).default({}),
  }),
});
const timeoutMilliseconds = 60_000;

export function remoteAccess(url: string, slug: string, env: NodeJS.ProcessEnv): AppAccess {
  const place = `${apiBase(url)}/admin/app-files`;
  const [appKey, secretKey] = ['FOYER_APP_KEY', 'FOYER_SECRET_KEY'].map((name) => {
    const value = env[name];
    if (!value)
      throw new Error(
        `--url requires the environment variables FOYER_APP_KEY and FOYER_SECRET_KEY; ${name} is not set`,
      );
    return value;
  }) as [string, string];
  const headers = {
    'X-App-Key': appKey,
    Authorization: `Bearer ${secretKey}`,
    'Content-Type': 'application/json',
  };
  const send = async <Value>(shape: z.ZodType<Value>, method: 'GET' | 'PUT', body?: AppFilesChange) => {
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const answer = await fetch(place, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal,
    }).catch((cause: unknown) => {
      throw new Error(`there is no answer from ${place}${reasonOf(cause)}`, { cause });
    });
    // Another host must not receive the secret key.
    const location = answer.headers.get('Location');
    if (answer.status >= 300 && answer.status < 400 && location !== null) {
      throw new Error(
        `${place} redirects to ${JSON.stringify(location)}, which does not receive the keys: give the URL of the service itself`,
      );
    }
    const content: unknown = await answer.json().catch(() => undefined);
    const result = z.object({ data: shape }).safeParse(content, { error: errorMap });
    if (answer.ok && result.success) return result.data.data;
    const envelope = Envelope.safeParse(content);
    if (!envelope.success)
      throw new Error(`${place} is no service of Foyer of this version (status ${answer.status})`);
    const { code, message, fields } = envelope.data.error;
    throw new Refusal(code, message, fields);
  };
  return {
    async read() {
      const files = await send(AppFiles, 'GET');
      if (files.app !== slug) {
        throw new Error(
          `the keys belong to the app ${JSON.stringify(files.app)}, not to ${JSON.stringify(slug)}`,
        );
      }
      return files;
    },
    apply: (change) => send(AppliedFiles, 'PUT', change),
  };
}

/** What the network or TLS reports. The message of the error itself may quote a header. */
function reasonOf(error: unknown): string {
  const { message, code } = ((error as Error).cause ?? {}) as { message?: string; code?: string };
  const reason = message || code;
  return reason ? ` (${reason})` : '';
}

/** A secret key in clear text would be readable on the way. */
function apiBase(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(parsed?.hostname ?? '');
  if (!parsed || !(parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isHere))) {
    throw new Error('--url must be an https URL, or http on this machine');
  }
  const base = url.replace(/\/+$/, '');
  return base.endsWith('/api/v2') ? base : `${base}/api/v2`;
}

/** What the running service answers to `commandOf` on its socket. */
const Answer = z.union([z.object({ data: z.unknown() }), Envelope]);

/** `send` executes a command in the running service, and resolves to the line that it prints. */
export function serviceAccess(name: string, send: (words: string[]) => Promise<string>): AppAccess {
  const ask = async <Value>(shape: z.ZodType<Value>, ...words: string[]) => {
    const answer = Answer.parse(JSON.parse(await send(['app-files', name, ...words])));
    if ('data' in answer) return shape.parse(answer.data);
    const { code, message, fields } = answer.error;
    throw new Refusal(code, message, fields);
  };
  return {
    read: () => ask(AppFiles, 'read'),
    apply: (change) => ask(AppliedFiles, 'apply', JSON.stringify(change)),
  };
}

/** Answers `serviceAccess` in the service. */
export async function answerOfService(
  deps: ChangeAppDeps,
  [name = '', what, change = 'null']: string[],
): Promise<string> {
  const access = databaseAccess(deps, name);
  try {
    const data = await (what === 'apply' ? access.apply(JSON.parse(change)) : access.read());
    return JSON.stringify({ data });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message, fields } = error;
    return JSON.stringify({ error: { code, message, fields } });
  }
}
