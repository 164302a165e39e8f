// On the first start with an embedded database: creates a demo app and stores its keys in the data directory.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Deps } from '../deps.js';
import { createApp, listApps } from './create-app.js';

type DemoFile = {
  base_url: string;
  app_id: string;
  app_key: string;
  secret_key: string;
  /** The development mailbox, with its secret; absent if mail is sent. */
  mailbox_url?: string;
};

export async function demoApp(
  deps: Deps,
  { url, mailboxUrl }: { url: string; mailboxUrl: string | null },
  print: (line: string) => void,
): Promise<void> {
  const file = join(deps.config.dataDir, 'demo.json');
  const addresses = { base_url: `${url}/api/v2`, ...(mailboxUrl !== null && { mailbox_url: mailboxUrl }) };
  if (!existsSync(file)) {
    if ((await listApps(deps)).length > 0) return;
    const { app, secretKey } = await createApp(deps, { name: 'Demo', slug: 'demo' });
    const demo: DemoFile = {
      ...addresses,
      app_id: app.id,
      app_key: app.appKey,
      secret_key: secretKey,
    };
    store(file, demo);
    print('Created a demo app:');
    print(`  app id      ${demo.app_id}`);
    print(`  app key     ${demo.app_key}`);
    print(`  secret key  ${demo.secret_key}   (for a backend, never for a browser)`);
    print(`  saved in    ${file}`);
    return;
  }
  const stored = read(file);
  if (!stored) {
    print(`${file} cannot be read: delete it; \`foyer keys create demo\` creates another secret key`);
    return;
  }
  const { mailbox_url, ...demo } = stored;
  const current = { ...demo, ...addresses };
  // The service may have another port than before, or send mail now.
  if (demo.base_url !== current.base_url || mailbox_url !== current.mailbox_url) store(file, current);
  print(`The demo app has the app key ${demo.app_key}; its secret key is in ${file}`);
}

function read(file: string): DemoFile | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** The file gets its name once it is on the disk: it alone has the secret key, and a full disk would empty it. */
function store(file: string, demo: DemoFile): void {
  const partial = `${file}.partial`;
  writeFileSync(partial, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(partial, file);
}
