// Numbers as they stand in a body's text: what JavaScript would make infinite, or an integer that it would round, is found
// here, since after reading nobody can tell.

/** Strings, numbers and what gives the path its shape; the text is known to be JSON. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9][0-9.eE+-]*|[{}[\],:]/g;
/** From here on JavaScript writes integers with an exponent. */
const writtenWithExponent = 1e21;

type Level = { array: boolean; key: string };

/** The dotted path of the first number that would not be kept as it was written; null where there is none. */
export function inexactNumber(json: string): string | null {
  const levels: Level[] = [];
  // In an object a string is a key, unless a colon came before it.
  let value = false;
  for (const [token] of json.matchAll(tokens)) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') levels.push({ array: token === '[', key: token === '[' ? '0' : '' });
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ',') {
      if (level?.array) level.key = String(Number(level.key) + 1);
    } else if (token.startsWith('"')) {
      if (level && !level.array && !value) level.key = JSON.parse(token);
    } else if (token !== ':' && !isExact(token)) return levels.map(({ key }) => key).join('.');
    value = token === ':';
  }
  return null;
}

/** An integer that is not safe is kept where it comes back as it was sent, digit by digit. */
function isExact(text: string): boolean {
  const number = Number(text);
  if (!Number.isFinite(number)) return false;
  if (!Number.isInteger(number) || Number.isSafeInteger(number)) return true;
  if (!/e/i.test(text) || Math.abs(number) < writtenWithExponent) return false;
  return significantDigits(text) === significantDigits(String(number));
}

function significantDigits(text: string): string {
  const [digits = ''] = text.replace(/[-.]/g, '').split(/e/i);
  return digits.replace(/^0+/, '').replace(/0+$/, '');
}
