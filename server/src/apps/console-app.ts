// The reserved app `console`, whose users are the team accounts (conventions of the API, "Apps, team and dashboard"). Accounts
// are created by invitation only.
import type { Deps } from '../deps.js';
import { theService } from '../model/actor.js';
import { type App, consoleSlug } from '../model/app.js';
import { createAppWithoutKey } from './create-app.js';
import { findAppBySlug } from './store.js';

/** The name in the mails to team members. */
const consoleName = 'Foyer';

/** Creates the app on the first start. Of several instances that start at once, one creates it. */
export async function ensureConsoleApp(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random' | 'keyRing'>,
): Promise<App> {
  const draft = {
    name: consoleName,
    slug: consoleSlug,
    settings: { sign_up: 'closed', refuse_common_passwords: true },
  } as const;
  const app =
    (await findAppBySlug(deps.prisma, consoleSlug)) ??
    (await createAppWithoutKey(deps, draft, theService))?.app ??
    (await findAppBySlug(deps.prisma, consoleSlug));
  if (!app) throw new Error('the app `console` could not be created');
  return app;
}
