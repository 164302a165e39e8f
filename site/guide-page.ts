// A guide as a page, without scripts: its style is a file beside it.
import { Marked, type Token, type Tokens } from 'marked';
import { type Guide, guides, overview, sections } from './guides.js';
import { pageOf } from './links.js';

export const stylePath = '/docs/sdk.css';

export function guidePage(guide: Guide): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(plain(guide.title))} · Foyer</title>
<link rel="icon" type="image/svg+xml" href="/dashboard/icon.svg">
<link rel="alternate" type="text/markdown" href="${guide.path}.md">
<link rel="stylesheet" href="${stylePath}">
</head>
<body>
<header>
<a href="/" class="home">Foyer</a>
<nav aria-label="Documentation"><a href="/docs">API</a><a href="${overview.path}">Guides</a><a href="${guide.path}.md">This page as Markdown</a></nav>
</header>
<div class="columns">
<main>
${bodyOf(guide)}
</main>
${menu(guide)}
</div>
</body>
</html>
`;
}

function menu(current: Guide): string {
  const item = ({ path, title }: Guide) =>
    `<li><a href="${path}"${path === current.path ? ' aria-current="page"' : ''}>${inline(title)}</a></li>`;
  const lists = sections.map(
    (section) => `<h2>${escaped(section.title)}</h2>\n<ul>\n${section.guides.map(item).join('\n')}\n</ul>`,
  );
  return `<nav aria-label="Guides">\n<ul>\n${item(overview)}\n</ul>\n${lists.join('\n')}\n</nav>`;
}

function bodyOf(guide: Guide): string {
  const taken = new Set<string>();
  const marked = new Marked({
    walkTokens(token: Token) {
      if (token.type === 'link') token.href = pageOf(token.href, guide, guides) ?? token.href;
    },
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const id = idOf(text, taken);
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text, lang }: Tokens.Code) {
        return `<pre tabindex="0"><code${lang ? ` class="language-${lang}"` : ''}>${escaped(text)}\n</code></pre>\n`;
      },
    },
  });
  const html = marked.parse(withoutFrontMatter(guide.text), { async: false });
  // A wide table scrolls by itself, not the page.
  return html
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
}

/** As GitHub names headings, so that links with fragments work there and here. */
function idOf(heading: string, taken: Set<string>): string {
  const name = plain(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
  let id = name;
  for (let count = 1; taken.has(id); count += 1) id = `${name}-${count}`;
  taken.add(id);
  return id;
}

function withoutFrontMatter(text: string): string {
  return text.replace(/^---\n[\s\S]*?\n---\n/, '');
}

function inline(markdown: string): string {
  return new Marked().parseInline(markdown, { async: false });
}

function plain(markdown: string): string {
  return markdown.replaceAll('`', '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
