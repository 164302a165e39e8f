// SHA-256 (FIPS 180-4) of ASCII text: `crypto.subtle` is missing in React Native and on insecure origins. Computes its
// constants from primes; a table would exceed the rest of the code.

type Eight = [number, number, number, number, number, number, number, number];

/** Returns the digest in hex. */
export function sha256(ascii: string): string {
  const primes = firstPrimes(64);
  const constants = primes.map((prime) => fractionBits(Math.cbrt(prime)));
  const words = paddedWords(ascii);
  let hash = primes.slice(0, 8).map((prime) => fractionBits(Math.sqrt(prime)));
  for (let start = 0; start < words.length; start += 16) {
    hash = withBlock(hash as Eight, words.slice(start, start + 16), constants);
  }
  return hash.map((word) => hex(word >>> 0, 8)).join('');
}

export function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++) {
    if (primes.every((prime) => number % prime)) primes.push(number);
  }
  return primes;
}

/** The first 32 bits of the fractional part. */
function fractionBits(value: number): number {
  return ((value % 1) * 2 ** 32) | 0;
}

/** The padded message as 32-bit words: the text, a one bit, zeros, and the bit length. */
function paddedWords(ascii: string): number[] {
  const words: number[] = Array(((ascii.length + 72) >> 6) * 16).fill(0);
  [...ascii, '\x80'].forEach((character, index) => {
    words[index >> 2]! |= character.charCodeAt(0) << (24 - (index % 4) * 8);
  });
  words[words.length - 1] = ascii.length * 8;
  return words;
}

function withBlock(hash: Eight, schedule: number[], constants: number[]): number[] {
  let state = hash;
  constants.forEach((constant, round) => {
    const w = (back: number) => schedule[round - back]!;
    schedule[round] ??= (w(16) + scheduled(w(15), 7, 18, 3) + w(7) + scheduled(w(2), 17, 19, 10)) | 0;
    const [a, b, c, d, e, f, g, h] = state;
    const t1 = h + mixed(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + constant + w(0);
    const t2 = mixed(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
    state = [(t1 + t2) | 0, a, b, c, (d + t1) | 0, e, f, g];
  });
  return hash.map((word, index) => (word + state[index]!) | 0);
}

function mixed(word: number, first: number, second: number, third: number): number {
  return rotated(word, first) ^ rotated(word, second) ^ rotated(word, third);
}

function scheduled(word: number, first: number, second: number, shift: number): number {
  return rotated(word, first) ^ rotated(word, second) ^ (word >>> shift);
}

function rotated(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
