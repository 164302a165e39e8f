// Takes pictures of every mail in every language, in a light and a dark reader: npm run mails -w @foyer/server -- <folder>
// To be looked at after a change of the words or the layout. Needs Chromium; CHROMIUM names another than /usr/bin/chromium.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type MailLanguage, mailLanguages, mailNotices, mailPurposes } from '@foyer/contract';
import { type Browser, chromium } from 'playwright-core';
import { defaultSettings } from './src/apps/default-settings.js';
import { html } from './src/lib/html.js';
import { compose, type MailAbout } from './src/mail/compose.js';

const [folder = 'mails'] = process.argv.slice(2);

const settings = defaultSettings();
settings.deep_link = 'https://app.example.com/in';
settings.mail.branding = {
  logo_url: `data:image/svg+xml,${encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" width="150" height="40"><rect width="40" height="40" rx="8" fill="#1a73e8"/>' +
      '<text x="50" y="28" font-family="sans-serif" font-size="22" fill="#1a73e8">Orchard</text></svg>',
  )}`,
  accent_color: '#1a73e8',
  button: null,
  footer: 'Orchard & Sons Ltd, 1 Example Street, London.',
};
const plain = { name: 'Orchard & Sons', settings: { ...defaultSettings(), deep_link: settings.deep_link } };
const branded = { name: 'Orchard & Sons', settings };

const invitation = {
  appName: 'Orchard & Sons',
  role: 'editor',
  invitedBy: 'owner@example.com',
  link: 'https://accounts.example.com/dashboard/invitation#inv_x',
  expiresAt: Date.UTC(2026, 2, 8, 10),
} as const;
const sample = {
  email: 'ada@example.com',
  code: '402718',
  service: 'accounts.google.com',
  device: 'Firefox 131, Android 15, 203.0.113.7',
  settingsChange: { appId: 'a', appName: 'Orchard & Sons', settings: ['sign_up'], by: 'owner@example.com' },
  at: new Date('2026-03-01T10:00:00Z'),
};
const mails: Partial<MailAbout>[] = [
  ...[...mailPurposes, ...mailNotices].map((kind) => ({ kind })),
  { kind: 'invitation', invitation },
  { kind: 'invitation', invitation: { ...invitation, appName: null } },
  { kind: 'sign_in_settings_changed' },
];

await mkdir(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
for (const language of mailLanguages) {
  for (const theme of ['light', 'dark'] as const) await takePicture(browser, language, theme);
}
await browser.close();

async function takePicture(from: Browser, language: MailLanguage, theme: 'light' | 'dark'): Promise<void> {
  const viewport = { width: 1_900, height: 1_000 };
  const page = await from.newPage({ colorScheme: theme, viewport });
  await page.setContent(sheetOf(language).html, { waitUntil: 'load' });
  const path = join(folder, `${language}-${theme}.png`);
  await page.screenshot({ path, fullPage: true });
  await page.close();
  console.log(path);
}

/** The first mail is shown without branding, too. */
function sheetOf(language: MailLanguage) {
  const composed = [
    compose(plain, { ...sample, kind: 'sign_in', acceptLanguage: language }),
    ...mails.map((about) =>
      compose(branded, { ...sample, kind: 'sign_in', acceptLanguage: language, ...about }),
    ),
  ];
  const cells = composed.map(
    ({ subject, html: content }) => html`<figure style="margin: 0">
<figcaption style="font: bold 14px sans-serif; padding: 4px" dir="auto">${subject}</figcaption>
<iframe srcdoc="${content}" style="width: 100%; height: 580px; border: 1px solid gray"></iframe>
</figure>`,
  );
  return html`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
</head><body><div style="display: grid; grid-template-columns: repeat(5, 1fr); gap: 8px">${cells}</div></body></html>`;
}
