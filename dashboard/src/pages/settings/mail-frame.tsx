// The HTML part of a mail in a frame without scripts, links that open, or access to the page. It is the one place where the
// dashboard shows HTML; the service escapes the texts in it.
import { styleNonce } from '../../page-config.ts';

export function MailFrame({ html }: { html: string }) {
  return (
    <iframe
      title="Preview of the mail"
      sandbox=""
      srcDoc={underPolicy(html)}
      style={{
        width: '100%',
        height: 340,
        border: '1px solid light-dark(#ced4da, #424242)',
        borderRadius: 'var(--mantine-radius-default)',
      }}
    />
  );
}

/**
 * The frame inherits the content security policy, which allows style elements with the nonce, but no style attributes: each
 * becomes a rule of one style element.
 */
function underPolicy(html: string): string {
  // A document that is only parsed reports its style attributes as violations of the policy, too.
  const renamed = html.replace(/<[^>]*>/g, (tag) => tag.replace(/\sstyle="/g, ' data-style="'));
  const mail = new DOMParser().parseFromString(renamed, 'text/html');
  const rules = [...mail.querySelectorAll('[data-style]')].map((element, number) => {
    const name = `s${number}`;
    element.classList.add(name);
    return `.${name} { ${element.getAttribute('data-style')} }`;
  });
  // The policy of the dashboard loads no images from elsewhere.
  for (const image of mail.querySelectorAll('img')) image.replaceWith('[Logo]');
  const style = mail.createElement('style');
  style.setAttribute('nonce', styleNonce);
  // No rule may end the element.
  style.textContent = rules.join('\n').replaceAll('<', '\\3c ');
  mail.head.append(style);
  return `<!doctype html>${mail.documentElement.outerHTML}`;
}
