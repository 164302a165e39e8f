// The page of the development mailbox: the list and the open mail. Works without its script, which copies codes and loads
// new mail.
import type { Mail } from '../../engines/mailer/index.js';
import { type Html, html } from '../lib/html.js';

/**
 * Mails are displayed as in mail clients: without scripts and external content, with links in a new window.
 */
export const frameSandbox = 'allow-popups allow-popups-to-escape-sandbox';

/** `secret` is in every address of the page; null if it requires none. */
export type MailboxView = {
  mails: Mail[];
  to: string | undefined;
  secret: string | null;
  open?: Mail | 'gone';
};

export function mailboxPage(view: MailboxView): string {
  const { mails, to, secret, open } = view;
  const own = queryString({ secret });
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Development mailbox</title>
<link rel="stylesheet" href="/dev/mailbox/page.css${own}">
<script type="module" src="/dev/mailbox/page.js${own}"></script>
<noscript><meta http-equiv="refresh" content="5"></noscript>
</head>
<body>
<header>
<h1><a href="/dev/mailbox${own}">Development mailbox</a></h1>
<form method="get" action="/dev/mailbox">
${secret === null ? '' : html`<input type="hidden" name="secret" value="${secret}">`}<label for="to">To</label> <input id="to" name="to" type="search" value="${to ?? ''}" placeholder="every address">
<button>Show</button>
</form>
<p>Nothing is sent: mail is kept here, the last 200, until the service stops.</p>
</header>
<div class="columns">
<nav id="mails" aria-label="Mails">
${mails.length === 0 ? html`<p class="none">No mail${to === undefined ? '' : ` to ${to}`} yet. It appears here by itself.</p>` : list(view)}
</nav>
${open === undefined ? html`<main class="none"><p>Choose a mail to read it.</p></main>` : opened(open, own)}
</div>
</body>
</html>
`.html;
}

/** The query string of an address of the page; empty without parameters. */
function queryString(parameters: Record<string, string | null | undefined>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

function list({ mails, to, secret, open }: MailboxView): Html {
  const filtered = queryString({ secret, to });
  const isOpen = (mail: Mail) => typeof open === 'object' && open.id === mail.id;
  return html`<ol>
${mails.map(
  (mail) => html`<li${isOpen(mail) ? html` aria-current="true"` : ''}>
<a href="/dev/mailbox/${mail.id}${filtered}">${mail.subject}</a>
<span>${mail.to}</span> <time datetime="${mail.at.toISOString()}">${clockTime(mail.at)}</time>
${mail.code === undefined ? '' : copyButton(mail.code, `Copy ${mail.code}`)}
</li>
`,
)}</ol>`;
}

function opened(mail: Mail | 'gone', own: string): Html {
  if (mail === 'gone') return html`<main class="none"><p>This mail is no longer here.</p></main>`;
  return html`<main>
<h2>${mail.subject}</h2>
<dl>
<div><dt>From</dt><dd>${mail.fromName}</dd></div>
<div><dt>To</dt><dd>${mail.to}</dd></div>
${mail.replyTo === null ? '' : html`<div><dt>Reply to</dt><dd>${mail.replyTo}</dd></div>`}
<div><dt>Sent</dt><dd><time datetime="${mail.at.toISOString()}">${mail.at.toISOString()}</time></dd></div>
${mail.code === undefined ? '' : html`<div><dt>Code</dt><dd><code>${mail.code}</code> ${copyButton(mail.code, 'Copy')}</dd></div>`}
${
  mail.link === undefined
    ? ''
    : html`<div><dt>Link</dt><dd><a href="${mail.link}" target="_blank" rel="noopener noreferrer">${mail.link}</a> ${copyButton(mail.link, 'Copy')}</dd></div>`
}
</dl>
<iframe title="The mail as HTML" src="/dev/mailbox/${mail.id}/html${own}" sandbox="${frameSandbox}"></iframe>
<details><summary>As text</summary><pre>${mail.text}</pre></details>
</main>`;
}

function copyButton(text: string, label: string): Html {
  return html`<button type="button" data-copy="${text}">${label}</button>`;
}

function clockTime(at: Date): string {
  return `${at.toISOString().slice(11, 19)} UTC`;
}

export const mailboxScript = `// Copies codes, and brings new mail into the list without touching the mail that is open.
document.addEventListener('click', async (event) => {
  const button = event.target.closest('[data-copy]');
  if (!button) return;
  await navigator.clipboard.writeText(button.dataset.copy);
  const label = button.textContent;
  button.textContent = 'Copied';
  setTimeout(() => { button.textContent = label; }, 1500);
});

let shown = document.getElementById('mails').innerHTML;
async function look() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const list = page.getElementById('mails').innerHTML;
  if (list === shown) return;
  shown = list;
  document.getElementById('mails').innerHTML = list;
}
setInterval(() => { if (!document.hidden) look().catch(() => {}); }, 2000);
`;

export const mailboxStyle = `:root { font: 16px/1.5 system-ui, sans-serif; --line: color-mix(in srgb, currentColor 18%, transparent); }
body { margin: 0; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 24px; padding: 12px 24px; border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 20px; }
h1 a { color: inherit; text-decoration: none; }
h2 { margin: 0 0 12px; font-size: 20px; overflow-wrap: anywhere; }
header p { margin: 4px 0; opacity: 0.75; font-size: 14px; }
button, input { font: inherit; padding: 2px 10px; }
.columns { display: grid; grid-template-columns: minmax(260px, 380px) 1fr; min-height: calc(100vh - 80px); }
nav { border-right: 1px solid var(--line); }
ol { list-style: none; margin: 0; padding: 0; }
li { padding: 10px 24px; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
li[aria-current] { background: color-mix(in srgb, Highlight 18%, transparent); }
li a { display: block; font-weight: 600; }
li span, li time { font-size: 14px; opacity: 0.75; }
li button { display: block; margin-top: 6px; }
main { padding: 20px 24px; display: flex; flex-direction: column; gap: 12px; }
dl { margin: 0; }
dl div { display: grid; grid-template-columns: 80px 1fr; }
dt { opacity: 0.75; }
dd { margin: 0; overflow-wrap: anywhere; }
dd code { font-size: 20px; letter-spacing: 2px; }
iframe { flex: 1; min-height: 420px; border: 1px solid var(--line); border-radius: 6px; background: Canvas; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.none { padding: 24px; opacity: 0.75; }
@media (max-width: 700px) { .columns { grid-template-columns: 1fr; } nav { border-right: 0; } }
`;
