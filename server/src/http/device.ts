// The device of a session, from the User-Agent and headers of the client; informational and not trusted.
import type { IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import type { Device } from '../model/session.js';

// `require` loads bowser, which is CommonJS with types for a default export that Node does not see. Loaded with the first
// request that has a User-Agent.
const require = createRequire(import.meta.url);
const maxUserAgentCharacters = 512;
const maxHeaderCharacters = 100;

export function deviceOf(headers: IncomingHttpHeaders): Device {
  const said = {
    name: plainText(headers['x-client-device']),
    appVersion: plainText(headers['x-client-version']),
  };
  const userAgent = headers['user-agent']?.slice(0, maxUserAgentCharacters);
  if (!userAgent) return { ...said, type: 'unknown', os: null, browser: null };
  const bowser = require('bowser') as typeof import('bowser').default;
  const parsed = bowser.parse(userAgent);
  const { type } = parsed.platform;
  return {
    ...said,
    type: type === 'mobile' || type === 'tablet' || type === 'desktop' ? type : 'unknown',
    os: joined(parsed.os.name, versionOf(parsed.os)),
    browser: joined(parsed.browser.name, parsed.browser.version?.split('.')[0]),
  };
}

/** Windows 10 and 11 both say `NT 10.0`, which is the name of neither. */
function versionOf({ name, version }: { name?: string; version?: string }): string | undefined {
  return name === 'Windows' ? undefined : version;
}

function joined(name: string | undefined, version: string | undefined): string | null {
  return name ? plainText([name, version].filter(Boolean).join(' ')) : null;
}

/**
 * Header values arrive as Latin-1 and may contain UTF-8, percent-encoded or not, or invalid bytes; only printable text is stored.
 */
function plainText(value: string | string[] | undefined): string | null {
  if (typeof value !== 'string') return null;
  const text = percentDecoded(Buffer.from(value, 'latin1').toString('utf8'))
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\uFFFD]/gu, '')
    .trim();
  return [...text].slice(0, maxHeaderCharacters).join('') || null;
}

/** As it is if it is not percent-encoded. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
