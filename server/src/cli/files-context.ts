// What the commands on files work with: the environment, the terminal, and the way to the app.
import { DataDirInUseError } from '@foyer/prisma';
import { type Config, readConfig } from '../env.js';
import { requireReadableKeys } from '../tokens/signing-keys.js';
import { buildStoreDeps, withChangeDeps } from '../wiring.js';
import { databaseAccess, remoteAccess, serviceAccess } from './app-files/access.js';
import type { Ask, FilesContext } from './app-files/commands.js';
import type { Print } from './argv.js';
import { runInService } from './local-socket.js';

type Surroundings = {
  env: NodeJS.ProcessEnv;
  print: Print;
  ask?: Ask;
  open?: (config: Config) => ReturnType<typeof buildStoreDeps>;
};

export function filesContext({ env, print, ask, open = buildStoreDeps }: Surroundings): FilesContext {
  return {
    env,
    print,
    ask,
    async withAccess({ app, url }, work) {
      if (url !== undefined) return work(remoteAccess(url, app, env));
      const config = readConfig(env);
      const opened = await open(config).catch((error: unknown) => {
        if (error instanceof DataDirInUseError) return null;
        throw error;
      });
      if (!opened) return work(serviceAccess(app, (words) => lineOfService(config.dataDir, words)));
      try {
        await requireReadableKeys(opened.deps);
        return await withChangeDeps(opened, (deps) => work(databaseAccess(deps, app)));
      } finally {
        await opened.close();
      }
    },
  };
}

/** The line that the running service prints for a command. */
async function lineOfService(dataDir: string, words: string[]): Promise<string> {
  let printed = '';
  const listens = await runInService(dataDir, words, (line) => {
    printed = line;
  });
  if (!listens) throw new Error('the embedded database is in use by a service that takes no commands');
  return printed;
}
