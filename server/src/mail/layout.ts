// Renders a mail as text and HTML with the same content: the code, its purpose, the link, the rest. The HTML loads nothing
// external but the logo of the app, adopts the reader's colour scheme, and is read aloud in this order.
import type { AppSettings } from '@foyer/contract';
import { type Html, html } from '../lib/html.js';
import { labelColorOn } from './contrast.js';
import { directionOf } from './language.js';

type MailParts = {
  subject: string;
  language: string;
  code?: string;
  paragraphs: string[];
  link?: string | undefined;
  label?: string;
  branding?: Branding | undefined;
};

type Branding = AppSettings['mail']['branding'];
type Direction = 'rtl' | 'auto';

export function layOut(parts: MailParts): { subject: string; text: string; html: string } {
  const { subject, language, code, paragraphs, link, label = '', branding } = parts;
  const { logo_url: logo, accent_color: accent = null, footer } = branding ?? {};
  const [first = '', ...rest] = paragraphs;
  const text = [code, first, link && `${label}:\n${link}`, ...rest, footer].filter(Boolean).join('\n\n');
  // By itself a paragraph that begins with a Latin name would be from left to right.
  const direction = directionOf(language) === 'rtl' ? 'rtl' : 'auto';
  const block = (paragraph: string) => paragraphBlock(paragraph, direction);
  const body = html`${logo ? logoBlock(logo) : []}${code === undefined ? [] : codeBlock(code, direction)}${block(first)}${
    link === undefined ? [] : linkBlock(link, label, { direction, accent })
  }${rest.map(block)}${footer ? footerBlock(footer, direction) : []}`;
  return { subject, text: `${text}\n`, html: page(subject, language, body).html };
}

function page(subject: string, language: string, body: Html): Html {
  return html`<!doctype html>
<html lang="${language}"${directionOf(language) === 'rtl' ? html` dir="rtl"` : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${subject}</title>
</head>
<body style="margin: 0; padding: 24px; font: 16px/1.5 system-ui, sans-serif">
<main style="max-width: 34em; margin: 0 auto">
${body}</main>
</body>
</html>
`;
}

/** Digits are written from left to right in every language, on the side where its lines begin. */
function codeBlock(code: string, direction: Direction): Html {
  const side = direction === 'rtl' ? '; text-align: right' : '';
  return html`<p style="margin: 0 0 16px; font: bold 34px/1.2 ui-monospace, monospace; letter-spacing: 5px${side}" translate="no" dir="ltr">${code}</p>
`;
}

function paragraphBlock(text: string, direction: Direction): Html {
  const lines = text.split(/\r?\n/).map((line, i) => (i === 0 ? html`${line}` : html`<br>${line}`));
  return html`<p style="margin: 0 0 16px" dir="${direction}">${lines}</p>
`;
}

/** The label may be the same in every language, like the footer. */
function linkBlock(
  link: string,
  label: string,
  { direction, accent }: { direction: Direction; accent: string | null },
): Html {
  const colors =
    accent === null ? '' : `; background: ${accent}; border-color: ${accent}; color: ${labelColorOn(accent)}`;
  return html`<p style="margin: 0 0 16px" dir="${direction}"><a href="${link}" target="_blank" dir="auto" style="display: inline-block; padding: 10px 18px; border: 2px solid; border-radius: 6px; font-weight: bold; text-decoration: none${colors}">${label}</a></p>
`;
}

/** Without a text of its own, so that notifications still show the code first. */
function logoBlock(url: string): Html {
  return html`<p style="margin: 0 0 20px"><img src="${url}" alt="" height="40" style="display: block; height: 40px; width: auto; max-width: 100%; border: 0"></p>
`;
}

/** The footer is the same in every language: in a mail from right to left, a full stop would otherwise move to its beginning. */
function footerBlock(text: string, direction: Direction): Html {
  return html`<p style="margin: 24px 0 0; padding: 12px 0 0; border-top: 1px solid; font-size: 14px" dir="${direction}"><span dir="auto">${text}</span></p>
`;
}
