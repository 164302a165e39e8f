// What uploads in progress hold in memory: a part of each where files are in S3.
import { expect, onTestFinished, test } from 'vitest';
import { fileScenario, type StoreKind } from '../../test/file-scenario.js';
import { rawConnection } from '../../test/raw-http.js';
import { expectRefusal } from '../../test/refusal.js';
import { until } from '../../test/until.js';

const mebibyte = 1_024 * 1_024;

/** Uploads whose head alone has been sent. */
async function uploadsTo(kind: StoreKind) {
  const { service, stop } = await fileScenario(kind);
  onTestFinished(stop);
  const { tokens } = await service.signUp();
  const { uploadBudget } = service.deps;
  const begin = async (length: string, ip = '127.0.0.1') => {
    const connection = await rawConnection(service.listening.port, ip);
    onTestFinished(() => connection.close());
    const head = [
      'POST /api/v2/files HTTP/1.1',
      'Host: accounts.test',
      `X-App-Key: ${service.app.app.appKey}`,
      `Authorization: Bearer ${tokens.access_token}`,
      'Content-Type: multipart/form-data; boundary=frame',
      length,
    ];
    connection.send(`${head.join('\r\n')}\r\n\r\n`);
    return connection;
  };
  return { begin, held: () => uploadBudget.heldBytes };
}

test('in S3, one network has twelve parts in progress, and another one is answered 503 before its bytes', async () => {
  const { begin, held } = await uploadsTo('s3');
  const sending = [];
  for (let count = 1; count <= 12; count += 1) {
    sending.push(
      await begin(count % 2 === 0 ? 'Transfer-Encoding: chunked' : `Content-Length: ${6 * mebibyte}`),
    );
    await until(() => held() === count * 5 * mebibyte);
  }
  const refused = await (await begin('Transfer-Encoding: chunked')).answer();
  expectRefusal(refused, 'request/unavailable');
  expect(refused.headers.get('retry-after')).toBe('1');
  const other = await begin('Transfer-Encoding: chunked', '127.0.0.2');
  await until(() => held() === 13 * 5 * mebibyte);
  other.close();
  sending[0]?.close();
  await until(() => held() === 11 * 5 * mebibyte);
  await begin('Content-Length: 1000');
  await until(() => held() === 11 * 5 * mebibyte + 1_000);
});

test('on the disk, uploads hold nothing', async () => {
  const { begin, held } = await uploadsTo('disk');
  const connection = await begin('Content-Length: 300');
  connection.send('--frame\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n');
  connection.send('x'.repeat(50));
  expect(held()).toBe(0);
});
