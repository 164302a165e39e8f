// Why a number cannot be stored as it is written: `JSON.parse` rounds without a word.

const tooLarge = 'this number is too large.';
const rounded = 'this integer is too large to be exact; write it as a string.';
/** JavaScript writes integers from here on with an exponent. */
const writtenWithExponent = 1e21;

/**
 * The fault of a number in the remote config. Many JSON parsers read it, so integers that are exact only here are
 * refused too.
 */
export function configNumberFault(text: string): string | null {
  const number = Number(text);
  if (!Number.isFinite(number)) return tooLarge;
  if (Object.is(number, -0)) return 'minus zero cannot be stored; write 0.';
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? rounded : null;
}

/**
 * The fault of a number in a record: a large integer is stored if it is written with an exponent and keeps its digits.
 */
export function recordNumberFault(text: string): string | null {
  const number = Number(text);
  if (!Number.isFinite(number)) return tooLarge;
  if (!Number.isInteger(number) || Number.isSafeInteger(number)) return null;
  const keepsDigits = significantDigits(text) === significantDigits(String(number));
  return /e/i.test(text) && Math.abs(number) >= writtenWithExponent && keepsDigits ? null : rounded;
}

function significantDigits(text: string): string {
  const [digits = ''] = text.replace(/[-.]/g, '').split(/e/i);
  return digits.replace(/^0+/, '').replace(/0+$/, '');
}
