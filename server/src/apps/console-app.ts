// The reserved app `console`, whose users are the team accounts. Accounts are created by invitation only.
import type { Deps } from '../deps.js';
import { theService } from '../model/actor.js';
import { type App, consoleSlug } from '../model/app.js';
import { createAppWithoutKey } from './create-app.js';
import { findApp } from './store.js';

/** Creates the app on the first start. Of several instances that start at once, one creates it. */
export async function ensureConsoleApp(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random' | 'keyRing'>,
): Promise<App> {
  const draft = {
    /** The name in mails to team members. */
    name: 'Foyer',
    slug: consoleSlug,
    settings: { sign_up: 'closed', refuse_common_passwords: true },
  } as const;
  const app =
    (await findApp(deps.prisma, { slug: consoleSlug })) ??
    (await createAppWithoutKey(deps, draft, theService))?.app ??
    (await findApp(deps.prisma, { slug: consoleSlug }));
  if (!app) throw new Error('the app `console` could not be created');
  return app;
}
