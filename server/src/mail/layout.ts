// Renders a mail as text and HTML with the same content: the code, its purpose, the link, the rest. The HTML loads nothing
// external, adopts the reader's colour scheme, and is read aloud in this order.
import { type Html, html } from '../lib/mail/html.js';

type MailParts = {
  subject: string;
  language: string;
  code?: string;
  paragraphs: string[];
  link?: string | undefined;
  label?: string;
};

export function layOut(parts: MailParts): { subject: string; text: string; html: string } {
  const { subject, language, code, paragraphs, link, label = '' } = parts;
  const [first = '', ...rest] = paragraphs;
  const text = [code, first, link && `${label}:\n${link}`, ...rest].filter(Boolean).join('\n\n');
  const body = html`${code === undefined ? [] : codeBlock(code)}${paragraph(first)}${
    link === undefined ? [] : linkBlock(link, label)
  }${rest.map(paragraph)}`;
  return { subject, text: `${text}\n`, html: page(subject, language, body).html };
}

function page(subject: string, language: string, body: Html): Html {
  return html`<!doctype html>
<html lang="${language}">
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

function codeBlock(code: string): Html {
  return html`<p style="margin: 0 0 16px; font: bold 34px/1.2 ui-monospace, monospace; letter-spacing: 5px" translate="no" dir="ltr">${code}</p>
`;
}

function paragraph(text: string): Html {
  const lines = text.split(/\r?\n/).map((line, i) => (i === 0 ? html`${line}` : html`<br>${line}`));
  return html`<p style="margin: 0 0 16px" dir="auto">${lines}</p>
`;
}

function linkBlock(link: string, label: string): Html {
  return html`<p style="margin: 0 0 16px" dir="auto"><a href="${link}" target="_blank" style="display: inline-block; padding: 10px 18px; border: 2px solid; border-radius: 6px; font-weight: bold; text-decoration: none">${label}</a></p>
`;
}
