// The guides in the order of the menu and of llms.txt, each with what a reader finds there.
import { readFileSync } from 'node:fs';

/** `source` is the file in the repository, `path` where the page is served. */
export type Guide = { source: string; path: string; title: string; about: string; text: string };
export type Section = { title: string; guides: Guide[] };

export const guidesPath = '/docs/sdk';
const folder = 'sdk/docs/';

const contents: Record<string, Record<string, string>> = {
  Start: {
    'getting-started': 'from an empty folder to a signed-in user, in Node and in a browser',
    skill: 'install, sign in, verify and test, in one page of instructions for coding agents',
    testing: 'a fake service for unit tests, `foyer dev` for the rest',
    errors: 'every error code, and what to do about it',
  },
  'Sign-in': {
    'ready-screens': 'sign-in and account as web components, in two lines; the page of the account',
    'sign-in-methods': 'password, emailed code and link, linking, recent sign-in',
    'google-and-apple': 'identity providers',
    'other-providers': 'GitHub, Microsoft and any OpenID provider, by redirect',
    passkeys: 'by a button and in the suggestions of a field',
    'second-factor': 'authenticator apps and recovery codes',
    features: 'points, remote config, push, files, records',
  },
  Platforms: {
    react: 'hooks, and a complete app',
    nextjs: 'server rendering, with the session in cookies',
    expo: 'React Native: secure storage, push',
    frameworks: 'Vue and Svelte: the state in components',
    'desktop-and-mobile': 'Capacitor, Tauri and Electron',
    runtimes: 'Cloudflare Workers, Deno, Bun, the oldest browsers',
    storage: 'where the session is stored',
    'offline-and-tabs': 'what ends a session, and what does not',
  },
  Backends: {
    admin: 'verify tokens; users, points, webhooks',
    server: 'pages with cookies: refresh tokens out of the reach of scripts',
  },
  Moving: {
    'moving-from-v1': 'users stay signed in',
    'moving-users': 'the users of another service: the import, the first sign-in',
    'moving-from-firebase': 'call by call',
    'moving-from-supabase': 'call by call',
    'moving-from-auth0': 'call by call',
    'moving-from-clerk': 'call by call',
    'moving-from-better-auth': 'call by call',
  },
};

const read = (source: string) => readFileSync(new URL(`../${source}`, import.meta.url), 'utf8');

export const overview: Guide = guide('sdk/README.md', guidesPath, 'the first program, and all guides');

export const sections: Section[] = Object.entries(contents).map(([title, pages]) => ({
  title,
  guides: Object.entries(pages).map(([name, about]) =>
    guide(`${folder}${name}.md`, `${guidesPath}/${name}`, about),
  ),
}));

export const guides: Guide[] = [overview, ...sections.flatMap((section) => section.guides)];

function guide(source: string, path: string, about: string): Guide {
  const text = read(source);
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error(`${source} has no title`);
  return { source, path, title, about, text };
}
