// Reads the service account key of Firebase as people paste it: the JSON file, the JSON in a string or in base64, with line ends
// inside its key. The normal form has the three members that are used.
import { isObject, jsonIn } from '../../src/lib/json-rules.js';
import { readPrivateKey } from './pasted-key.js';

export type ServiceAccount = { project_id: string; client_email: string; private_key: string };

type PastedAccount = { account: ServiceAccount; fault?: undefined } | { account?: undefined; fault: string };

const source = 'Firebase console, Project settings, Service accounts, Generate new private key';

export function readServiceAccount(pasted: string): PastedAccount {
  const account = jsonOf(pasted, 3);
  if (!isObject(account)) return { fault: `must be the JSON of a service account key (${source})` };
  const { project_id, client_email, private_key } = account;
  if ('project_info' in account || 'apiKey' in account || 'installed' in account || 'web' in account) {
    return { fault: `is the configuration of an app; the key of a service account is needed (${source})` };
  }
  if (typeof project_id !== 'string' || !/^[a-z0-9][a-z0-9.:-]{0,99}$/.test(project_id.trim()))
    return { fault: 'has no valid project_id' };
  if (typeof client_email !== 'string' || !/^[^\s@]{1,200}@[^\s@]{1,200}$/.test(client_email.trim()))
    return { fault: 'has no valid client_email' };
  if (typeof private_key !== 'string') return { fault: 'has no private_key' };
  const { pem, fault } = readPrivateKey(private_key, 'RSA');
  if (pem === undefined) return { fault: `has a private_key that ${fault}` };
  return { account: { project_id: project_id.trim(), client_email: client_email.trim(), private_key: pem } };
}

function jsonOf(pasted: string, depth: number): unknown {
  const text = pasted.replace(/\p{Cf}/gu, '').trim();
  const value = jsonIn(text) ?? jsonIn(withEscapedLineEnds(text));
  if (depth === 0 || isObject(value)) return value;
  if (typeof value === 'string') return jsonOf(value, depth - 1);
  const isBase64 = value === undefined && /^[A-Za-z0-9+/\s]+={0,2}$/.test(text);
  return isBase64 ? jsonOf(Buffer.from(text, 'base64').toString(), depth - 1) : undefined;
}

/** An editor or a shell turned the `\n` of the key into line ends, which JSON does not allow in a string. */
function withEscapedLineEnds(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"/g, (part) => part.replaceAll('\r', '').replaceAll('\n', '\\n'));
}
