// The global `fetch` of a process that has loaded the service's HTTP client.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('sends a request with a Content-Length header of its own, as uploads to S3 have', async () => {
  const server = createServer((req, res) => req.pipe(res)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new URL('./ssrf-safe-fetch.ts', import.meta.url);
  const program = `const { ssrfSafeFetch } = await import('${client}');
    const request = { headers: {}, timeoutMilliseconds: 5000, maxAnswerBytes: 10 };
    await ssrfSafeFetch({ loopback: true }).send('${url}', request);
    const response = await fetch('${url}', { method: 'PUT', headers: { 'content-length': '3' }, body: 'abc' });
    console.log(await response.text());`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--import', 'tsx', '--conditions=source'],
    ...['--input-type=module', '-e', program],
  ]);
  expect(stdout).toBe('abc\n');
  server.close();
});
