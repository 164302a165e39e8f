// Comma-separated values (RFC 4180) that spreadsheets open without executing anything: they take a text that begins like a
// formula for one.

export type CsvValue = string | number | boolean | null | undefined;

/** Excel takes a file for UTF-8 only if it begins with this mark. */
export const csvStart = '\uFEFF';

export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

function csvField(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = withoutFormula(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Also after the white space and the control characters that a spreadsheet ignores. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a tab and a carriage return start a formula, too.
const formula = /^[\s\u0000-\u001f]*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;

/**
 * What begins another cell in a spreadsheet that separates by semicolons, as in many countries, or by tabs: there, quotes
 * within a line are part of the text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: spreadsheets ignore them before a formula.
const innerFormula = /([;\t\r\n][\s"\u0000-\u001f]*)(?=[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20])/g;

function withoutFormula(text: string): string {
  const inner = text.replace(innerFormula, "$1'");
  return formula.test(text) ? `'${inner}` : inner;
}
