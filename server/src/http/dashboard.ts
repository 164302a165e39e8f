// The dashboard at /dashboard: the files of its build, and its page for every other path, because the page reads the path
// itself.
import type { Request, Response, Router } from 'express';
import type { Deps } from '../deps.js';
import { builtPage, filled, pageHeaders } from './built-page.js';
import { type BuiltFile, installedBuild } from './installed-build.js';
import { installedPackages, type Packages } from './site.js';

export const dashboardPath = '/dashboard';

const packageName = '@foyer/dashboard';

type PageDeps = Pick<Deps, 'config' | 'random' | 'apps'> & { hasOwner: () => Promise<boolean> };

/** Mounted at `dashboardPath`, before CORS: no other origin may read the page. */
export function dashboard(
  deps: PageDeps,
  files: BuiltFile[] = installedBuild(packageName),
  packages = installedPackages(),
): Router {
  return builtPage(files, {
    servePage: (page) => servePage(deps, page, packages),
    notBuilt: 'The dashboard is not built.',
  });
}

function servePage({ config, random, apps, hasOwner }: PageDeps, page: string, { sdk, elements }: Packages) {
  return async (_req: Request, res: Response) => {
    const consoleApp = await apps.console();
    const settings = {
      api: `${config.baseUrl}/api/v2`,
      app_key: consoleApp.appKey,
      has_owner: await hasOwner(),
      sdk: sdk && `${config.baseUrl}${sdk}`,
      elements: elements && `${config.baseUrl}${elements}`,
    };
    const { nonce, headers } = pageHeaders(random);
    res.set(headers).send(filled(page, { PAGE: JSON.stringify(settings), NONCE: nonce }));
  };
}
