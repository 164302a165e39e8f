// Finds numbers in a JSON text that JSON.parse would turn into Infinity, or integers that it would round.

/** Strings, numbers and punctuation; the text is known to be valid JSON. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9][0-9.eE+-]*|[{}[\],:]/g;
/** JavaScript writes integers from here on with an exponent. */
const writtenWithExponent = 1e21;

type Level = { array: boolean; key: string };

/** The dotted path of the first number that is not exactly representable, or null. */
export function inexactNumber(json: string): string | null {
  const levels: Level[] = [];
  // A string in an object is a key unless it follows a colon.
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

/** An unsafe integer is exact if it serializes to the digits that were sent. */
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
