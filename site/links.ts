// Links of the guides name files of the repository; on the site they lead to pages.
import { posix } from 'node:path';
import type { Guide } from './guides.js';

/** Where a link of a guide leads, as the path of a page and the fragment after it; undefined for other sites and fragments. */
export function pageOf(link: string, from: Guide, guides: Guide[]): string | undefined {
  if (/^(https?:|mailto:|#)/.test(link)) return undefined;
  const [file = '', fragment] = link.split('#');
  const source = posix.join(posix.dirname(from.source), file);
  const page = guides.find((guide) => guide.source === source);
  if (!page) throw new Error(`${from.source} links to ${link}, which is no page of the site`);
  return fragment === undefined ? page.path : `${page.path}#${fragment}`;
}

/** The guide with links to the Markdown of other guides below `origin`. Code is left as it is. */
export function linkedMarkdown(guide: Guide, guides: Guide[], origin: string): string {
  const parts = guide.text.split(/(^```[\s\S]*?^```$)/m);
  return parts.map((part) => (part.startsWith('```') ? part : withLinks(part))).join('');

  function withLinks(text: string): string {
    return text.replace(/\]\(([^)\s]+)\)/g, (written, link: string) => {
      const page = pageOf(link, guide, guides);
      if (page === undefined) return written;
      const [path, fragment] = page.split('#');
      return `](${origin}${path}.md${fragment === undefined ? '' : `#${fragment}`})`;
    });
  }
}
