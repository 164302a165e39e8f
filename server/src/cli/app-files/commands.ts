// foyer pull, diff, apply and schema: an app as files.
import { type AppFileGroup, AppFilesChange, errorMap } from '@foyer/contract';
import { type AppContent, appFileSchema } from '../../app-files/app-file.js';
import { contentOfApp } from '../../app-files/content-of-app.js';
import { withKeptParts } from '../../app-files/keep-references.js';
import { type GroupPlan, planOf } from '../../app-files/plan.js';
import { contentOf } from '../../app-files/read-files.js';
import { type Environment, expanded, namesIn } from '../../app-files/references.js';
import { ApiError } from '../../lib/api-error.js';
import { type Print, parse, requireNoMore, UsageError } from '../argv.js';
import { type AppAccess, Refusal } from './access.js';
import { readFolder, writeFolder } from './folder.js';

/** Asks on the terminal; undefined without one. */
export type Ask = ((question: string) => Promise<boolean>) | undefined;

export type FilesContext = {
  env: Environment;
  print: Print;
  ask: Ask;
  /** Opens the app `--app`, at `--url` if it is given. */
  withAccess<Result>(
    where: { app: string; url: string | undefined },
    work: (access: AppAccess) => Promise<Result>,
  ): Promise<Result>;
};

/** The command completed, and something differs. */
const exitCodeOfDifferences = 3;

const where = { app: { type: 'string' }, url: { type: 'string' } } as const;

export function printSchema(argv: string[], print: Print): void {
  requireNoMore(argv);
  print(JSON.stringify(appFileSchema(), null, 2));
}

export async function pull(argv: string[], { env, print, withAccess }: FilesContext): Promise<number> {
  const { folder, place } = target(argv, where);
  const { files } = await withAccess(place, (access) => access.read());
  const written = withKeptParts(files, readFolder(folder) ?? [], env);
  for (const path of await writeFolder(folder, written)) print(`Removed ${path}: the app has no such text.`);
  print(`Wrote ${written.length === 1 ? 'one file' : `${written.length} files`} to ${folder}.`);
  return 0;
}

export async function diff(argv: string[], context: FilesContext): Promise<number> {
  const { folder, place } = target(argv, where);
  const wanted = contentOfFolder(folder, context.env);
  const { files } = await context.withAccess(place, (access) => access.read());
  const plans = planOf(withUrls(contentOfApp(files), {}), wanted, false);
  printPlans(plans, context.print);
  return plans.length === 0 ? 0 : exitCodeOfDifferences;
}

export async function apply(argv: string[], context: FilesContext): Promise<number> {
  const { folder, place, options } = target(argv, {
    ...where,
    yes: { type: 'boolean' },
    secrets: { type: 'boolean' },
    'delete-records': { type: 'boolean' },
  });
  const { env, print, ask } = context;
  const wanted = contentOfFolder(folder, env);
  return context.withAccess(place, async (access) => {
    const { files, versions } = await access.read();
    const plans = planOf(withUrls(contentOfApp(files), {}), wanted, options.secrets === true);
    requireSecrets(
      plans.flatMap(({ secrets }) => secrets),
      env,
    );
    const deleteRecords = options['delete-records'] === true;
    const changes = plans.map((plan) => changeOf(plan, versions[plan.group], env, deleteRecords));
    printPlans(plans, print);
    const deletions = plans.flatMap((plan) => plan.deletions);
    if (deletions.length > 0 && !options.yes && !(await agrees(deletions, ask, print))) return 1;
    for (const [place, change] of changes.entries()) {
      await applyOne(access, (plans[place] as GroupPlan).group, change, print);
    }
    return 0;
  });
}

function target(argv: string[], known: Parameters<typeof parse>[1]) {
  const { options, positionals } = parse(argv, known, 'the folder');
  if (typeof options.app !== 'string') throw new UsageError('--app is required: the slug of an app');
  const url = options.url as string | undefined;
  return { folder: positionals[0] as string, place: { app: options.app, url }, options };
}

/** With the environment variables in the URLs of webhooks, without which they cannot be compared. */
function contentOfFolder(folder: string, env: Environment): AppContent {
  const files = readFolder(folder);
  if (!files) throw new Error(`there is no folder ${JSON.stringify(folder)}`);
  const content = contentOf(files);
  requireSecrets(
    (content.webhooks ?? []).flatMap(({ url }) => namesIn(url)),
    env,
  );
  return withUrls(content, env);
}

function withUrls({ webhooks, ...content }: AppContent, env: Environment): AppContent {
  if (!webhooks) return content;
  return { ...content, webhooks: webhooks.map((each) => ({ ...each, url: expanded(each.url, env) })) };
}

/** Names what is missing before anything is changed. */
function requireSecrets(names: string[], env: Environment): void {
  const missing = [...new Set(names)].filter((name) => !env[name]);
  if (missing.length === 0) return;
  throw new Error(
    `these environment variables are not set, and nothing was changed: ${missing.sort().join(', ')}`,
  );
}

/** The values are checked here as the service checks them, so that no group is refused after another was changed. */
function changeOf(
  plan: GroupPlan,
  version: string,
  env: Environment,
  deleteRecords: boolean,
): AppFilesChange {
  const change = { ...plan.values(env), version, delete_records: deleteRecords };
  const result = AppFilesChange.safeParse(change, { error: errorMap });
  if (result.success) return result.data;
  const sentences = result.error.issues.map(({ path, message }) => `  ${path.join('.')} ${message}`);
  throw new Error(`nothing was changed:\n${sentences.join('\n')}`);
}

function printPlans(plans: GroupPlan[], print: Print): void {
  if (plans.length === 0) print('Nothing differs.');
  for (const { group, lines } of plans) {
    print(group);
    for (const line of lines) print(`  ${line}`);
  }
}

async function agrees(deletions: string[], ask: Ask, print: Print): Promise<boolean> {
  const question = `This deletes ${deletions.join(', ')}.`;
  if (!ask) throw new Error(`${question} Nothing was changed; with --yes it is deleted without a question`);
  const answer = await ask(`${question} Continue?`);
  if (!answer) print('Nothing was changed.');
  return answer;
}

async function applyOne(
  access: AppAccess,
  group: AppFileGroup,
  change: AppFilesChange,
  print: Print,
): Promise<void> {
  const { new_webhooks } = await access.apply(change).catch((error: unknown) => {
    const was = isRefusal(error)
      ? `${group} was not changed: ${reasonOf(error)}`
      : unknownResult(group, error);
    throw new Error(was, { cause: error });
  });
  print(`Changed ${group}.`);
  for (const { url, secret } of new_webhooks) {
    print(`  ${url}\n    secret  ${secret}   (verifies its signatures; not shown again)`);
  }
}

/** After any other error the service may have made the change: its answer was lost, or that of its database. */
function isRefusal(error: unknown): error is Refusal | ApiError {
  const hasCode = error instanceof Refusal || error instanceof ApiError;
  return hasCode && !['request/internal-error', 'request/unavailable'].includes(error.code);
}

function unknownResult(group: AppFileGroup, error: unknown): string {
  const secrets = group === 'webhooks' ? ', and rotate the secret of each webhook that is new' : '';
  return `it is not known whether ${group} was changed: ${(error as Error).message}. See with \`foyer diff\`${secrets}`;
}

function reasonOf({ code, fields, message }: Refusal | ApiError): string {
  if (code.endsWith('/version-conflict')) {
    return 'it was changed by somebody else after it was read, for example in the dashboard. See what differs now with `foyer diff`';
  }
  const details = Object.entries(fields).map(([name, sentences]) => `${name} ${sentences.join(', ')}`);
  if (code === 'data/collection-not-empty') {
    return `${details.join('; ')}; with --delete-records they are deleted`;
  }
  return details.length === 0 ? message : details.join('; ');
}
