// A client may take half a minute to send its body, after the guard has checked its session. A session that ends in
// between must not complete the call.
import { request } from 'node:http';
import { contract } from '@foyer/contract';
import { expect, test } from 'vitest';
import { testService } from './harness.js';
import { shared } from './shared.js';

let onSessionRead: (() => void) | null = null;
const service = shared(() =>
  testService({
    onStatement: (sql) => {
      if (/FROM sessions AS s JOIN users/.test(sql)) onSessionRead?.();
    },
  }),
);

/** Sends all but the last byte, waits until the guard has read the session, and returns how to send the rest. */
async function held(method: string, path: string, token: string, body: unknown) {
  const text = JSON.stringify(body);
  const guarded = new Promise<void>((resolve) => {
    onSessionRead = resolve;
  });
  const req = request(`${service.url}/api/v2${path}`, {
    method,
    headers: {
      'x-app-key': service.app.app.appKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    },
  });
  const answer = new Promise<{ status: number; code: string | undefined }>((resolve, reject) => {
    req.on('error', reject);
    req.on('response', (res) => {
      let said = '';
      res.on('data', (chunk) => {
        said += chunk;
      });
      res.on('end', () => {
        const code = said === '' ? undefined : JSON.parse(said).error?.code;
        resolve({ status: res.statusCode as number, code });
      });
    });
  });
  req.write(text.slice(0, -1));
  await guarded;
  onSessionRead = null;
  return () => {
    req.end(text.slice(-1));
    return answer;
  };
}

const calls: [endpoint: { method: string; path: string }, body: unknown][] = [
  [contract.passwords.change, { password: 'the squatter was here' }],
  [contract.profile.update, { first_name: 'Squatter' }],
  [contract.profile.changeEmail, { email: 'squatter@example.com' }],
];

test.each(calls)(
  '$method $path changes nothing if the session ends before its body is complete',
  async (endpoint, body) => {
    const user = await service.signUp();
    const before = await service.deps.prisma.user.findFirstOrThrow({ where: { id: user.uid } });
    const release = await held(endpoint.method, endpoint.path, user.tokens.access_token, body);
    const ended = await service.call('POST', '/auth/sign-out-all', { token: user.tokens.access_token });
    expect(ended.status).toBe(204);
    expect(await release()).toEqual({ status: 401, code: 'auth/invalid-token' });
    const after = await service.deps.prisma.user.findFirstOrThrow({ where: { id: user.uid } });
    expect([after.passwordHash, after.firstName, after.email]).toEqual([
      before.passwordHash,
      before.firstName,
      before.email,
    ]);
    expect(await service.deps.prisma.code.count({ where: { subject: user.uid } })).toBe(0);
  },
);
