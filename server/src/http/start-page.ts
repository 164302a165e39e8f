// The page at `/`: where the dashboard, the SDK with its guides, the documentation of the API and, during development, the mails
// are.
import type { Request, Response } from 'express';
import type { Config } from '../env.js';
import { sha256Base64 } from '../lib/crypto/digest.js';
import { type Html, html } from '../lib/html.js';
import { dashboardPath } from './dashboard.js';
import { mailboxPath } from './dev-mailbox.js';
import { guidesPath, type Packages } from './site.js';

export type StartPage = {
  version: string;
  config: Pick<Config, 'openMailbox' | 'baseUrl'>;
  /** Whether mails are kept for the developer. */
  hasMailbox: boolean;
  hasOwner: () => Promise<boolean>;
  packages: Packages;
};

const style = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 40rem; margin: 0 auto; padding: 48px 24px; }
h1 { margin: 0; font-size: 28px; }
.version { margin: 0 0 24px; opacity: 0.75; }
.notice { padding: 12px 16px; border: 1px solid; border-radius: 6px; }
dt { margin-top: 16px; font-weight: 600; }
dd { margin: 0; }
a { color: light-dark(#1d4ed8, #93b4ff); }
code { overflow-wrap: anywhere; }
`;

const headers = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${sha256Base64(style)}'`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
};

/** Paths instead of URLs, so that the links stay on the origin at which the page was opened. */
export function startPage({ version, config, hasMailbox, hasOwner, packages }: StartPage) {
  return async (_req: Request, res: Response) => {
    const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Foyer</title>
<link rel="icon" type="image/svg+xml" href="${dashboardPath}/icon.svg">
<style>${{ html: style }}</style>
</head>
<body>
<main>
<h1>Foyer</h1>
<p class="version">Accounts as a service, version ${version}</p>
${(await hasOwner()) ? '' : firstOwner}
<dl>
${link(dashboardPath, 'Dashboard', 'Users, settings, content and push messages of your apps. Quick start of each app has the first calls, ready to copy.')}
${sdk(config, packages)}
${link('/docs', 'API documentation', 'Every endpoint of v2, its errors and limits, to try from the page.')}
${link('/docs/v1', 'API v1', 'Deprecated, for apps that have not moved yet.')}
${link('/api/v2/openapi.json', 'OpenAPI document', 'For generated clients and tools.')}
${hasMailbox ? mailbox(config) : ''}
</dl>
</main>
</body>
</html>
`;
    res.set(headers).type('html').send(page.html);
  };
}

const firstOwner = html`<p class="notice">There is no owner yet. Open the link that the service printed when it started, or print a new
one with <code>foyer console invite-owner</code>.</p>`;

function sdk({ baseUrl }: Pick<Config, 'baseUrl'>, { sdk: path, elements }: Packages): Html | '' {
  if (path === null || elements === null) return '';
  return html`<dt>SDK</dt>
<dd>For TypeScript and JavaScript, in an app or a backend: <code>npm install ${baseUrl}${path}</code></dd>
<dt>Ready screens</dt>
<dd>Sign-in and account for a web app, over the SDK: <code>npm install ${baseUrl}${path} ${baseUrl}${elements}</code></dd>
${link(guidesPath, 'Guides', 'From an empty folder to a signed-in user, by platform and by feature; for coding agents, /llms.txt.')}`;
}

function link(path: string, name: string, description: string): Html {
  return html`<dt><a href="${path}">${name}</a></dt>
<dd>${description}</dd>`;
}

/** The secret of the page is not revealed here: this page has no protection. */
function mailbox({ openMailbox }: Pick<Config, 'openMailbox'>): Html {
  if (openMailbox)
    return link(mailboxPath, 'Development mailbox', 'Mails that would be sent, with their codes.');
  return html`<dt>Development mailbox</dt>
<dd>No mail is sent. The service printed the link to the mails when it started.</dd>`;
}
