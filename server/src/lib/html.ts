// HTML as a tagged template: escapes every value except nested HTML templates.

export type Html = { readonly html: string };

export function html(parts: TemplateStringsArray, ...values: (string | number | Html | Html[])[]): Html {
  return { html: String.raw({ raw: parts }, ...values.map(escaped)) };
}

function escaped(value: string | number | Html | Html[]): string {
  if (Array.isArray(value)) return value.map((each) => each.html).join('');
  if (typeof value === 'object') return value.html;
  return String(value).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
