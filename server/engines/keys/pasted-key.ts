// Reads private keys as people paste them: a file with any line ends, one line, written-out `\n`, JSON or base64 around it, the
// lines BEGIN and END missing. The one parser of keys in settings; its normal form is PKCS #8 in PEM.
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { isObject, jsonIn } from '../../src/lib/json-rules.js';

export type KeyKind = 'P-256' | 'RSA';

/** `fault` continues the name of a setting: "must be …". It never quotes the text. */
export type PastedKey = { pem: string; fault?: undefined } | { pem?: undefined; fault: string };

type DerType = 'pkcs8' | 'sec1' | 'pkcs1';
type Block = { label: string; body: string };

const minRsaBits = 2_048;
/** JSON in base64 in JSON: no more is ever pasted. */
const maxWrappings = 3;

const kinds: Record<KeyKind, string> = {
  'P-256': 'an elliptic curve key on P-256',
  RSA: `an RSA key of at least ${minRsaBits} bits`,
};

/** PEM labels that are no usable private key, and what they are. */
const otherBlocks: [label: RegExp, fault: string][] = [
  [/^ENCRYPTED PRIVATE KEY$/, 'is encrypted with a password; enter the key without one'],
  [/PUBLIC KEY$/, 'is a public key; the private key is needed'],
  [/CERTIFICATE/, 'contains a certificate instead of a private key'],
  [/^OPENSSH PRIVATE KEY$/, 'is an SSH key, which the provider does not use'],
];

const derTypes: Record<string, DerType> = {
  'PRIVATE KEY': 'pkcs8',
  'EC PRIVATE KEY': 'sec1',
  'RSA PRIVATE KEY': 'pkcs1',
};

const damaged = 'is cut off or damaged; enter the whole file';

export function readPrivateKey(pasted: string, kind: KeyKind): PastedKey {
  const text = unwrapped(pasted, maxWrappings);
  const blocks = blocksIn(text);
  const keys = blocks.filter(({ label }) => label in derTypes);
  if (keys.length > 1) return { fault: 'contains several private keys; enter one' };
  const [key] = keys;
  if (key) return ofBlock(key, kind);
  const other = otherBlocks.find(([pattern]) => blocks.some(({ label }) => pattern.test(label)));
  if (other) return { fault: other[1] };
  return ofBareText(text, kind);
}

/** The text of a key inside a JSON string, the `private_key` of a JSON file, or base64 of the file. */
function unwrapped(pasted: string, depth: number): string {
  const text = pasted.replace(/\p{Cf}/gu, '').trim();
  if (depth === 0) return text;
  const value = /^["{]/.test(text) ? jsonIn(text) : undefined;
  if (typeof value === 'string') return unwrapped(value, depth - 1);
  if (isObject(value)) {
    const { private_key: inside } = value;
    return typeof inside === 'string' ? unwrapped(inside, depth - 1) : text;
  }
  const file =
    bytesOf(text)
      ?.toString('utf8')
      .replace(/^\ufeff/, '')
      .trim() ?? '';
  return /^(-----BEGIN|\{)/.test(file) ? unwrapped(file, depth - 1) : text;
}

/** Bounded repetitions: a long text must not cost more than its length. */
const boundary = /-{2,10}\s{0,5}(BEGIN|END) ([A-Z0-9 ]{1,40}?)\s{0,5}-{2,10}/g;

/** Mail programs turn hyphens into dashes and quote lines, web pages keep words together, consoles print line ends as `\n`. */
function blocksIn(text: string): Block[] {
  const plain = withLineEnds(text)
    .replace(/[\u2014\u2015]/g, '--')
    .replace(/[\u2010-\u2013\u2212]/g, '-')
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/^[> ]{1,20}/gm, '');
  const lines = [...plain.matchAll(boundary)];
  return lines.flatMap((begin, place) => {
    const end = lines[place + 1];
    const [line, word, label = ''] = begin;
    if (word !== 'BEGIN' || end?.[1] !== 'END' || end[2] !== label) return [];
    return { label, body: plain.slice(begin.index + line.length, end.index) };
  });
}

function withLineEnds(text: string): string {
  return text.replace(/\\+[rn]/g, '\n');
}

function ofBlock({ label, body }: Block, kind: KeyKind): PastedKey {
  if (/Proc-Type:\s*4,\s*ENCRYPTED/.test(body)) return { fault: otherBlocks[0]?.[1] as string };
  const der = bytesOf(body);
  const key = der && keyOf(der, derTypes[label] as DerType);
  return key ? judged(key, kind) : { fault: damaged };
}

/** A key without its lines BEGIN and END, or with one of them. */
function ofBareText(text: string, kind: KeyKind): PastedKey {
  const body = withLineEnds(text).replace(boundary, '');
  const der = bytesOf(body);
  if (der === null || der.length < 16) {
    const cut = /BEGIN [A-Z0-9 ]*PRIVATE KEY/.test(text);
    return { fault: cut ? damaged : 'must be a private key: the text of its file, from BEGIN to END' };
  }
  for (const type of ['pkcs8', 'sec1', 'pkcs1'] as const) {
    const key = keyOf(der, type);
    if (key) return judged(key, kind);
  }
  return { fault: isPublicKey(der) ? (otherBlocks[1]?.[1] as string) : damaged };
}

function judged(key: KeyObject, kind: KeyKind): PastedKey {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const isEc = type === 'ec' && details?.namedCurve === 'prime256v1';
  const isRsa = type === 'rsa' && (details?.modulusLength ?? 0) >= minRsaBits;
  if (kind === 'P-256' ? !isEc : !isRsa)
    return { fault: `is ${nameOf(key)}; the provider needs ${kinds[kind]}` };
  if (!signs(key)) return { fault: damaged };
  return { pem: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function nameOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): string {
  if (type === 'rsa') return `an RSA key of ${details?.modulusLength} bits`;
  if (type === 'ec') return `an elliptic curve key on ${details?.namedCurve ?? 'an unnamed curve'}`;
  return `a key of the type ${type}`;
}

/** Returns false for a key whose parts do not belong together, which can be read all the same. */
function signs(key: KeyObject): boolean {
  const probe = Buffer.from('probe');
  try {
    return verify('sha256', probe, createPublicKey(key), sign('sha256', probe, key));
  } catch {
    return false;
  }
}

/** Returns null unless the text is base64, of either alphabet, and nothing else. */
function bytesOf(text: string): Buffer | null {
  const body = text.replace(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/');
  return /^[A-Za-z0-9+/]+={0,2}$/.test(body) ? Buffer.from(body, 'base64') : null;
}

function keyOf(der: Buffer, type: DerType): KeyObject | null {
  try {
    return createPrivateKey({ key: der, format: 'der', type });
  } catch {
    return null;
  }
}

function isPublicKey(der: Buffer): boolean {
  try {
    createPublicKey({ key: der, format: 'der', type: 'spki' });
    return true;
  } catch {
    return false;
  }
}
