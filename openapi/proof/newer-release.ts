// The service as a later version may answer: an error code, a sign-in method and fields that did not exist when a client
// was generated.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Forwards every request to the service. */
export async function newerService(baseUrl: string): Promise<{ url: string; stop(): void }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.entries(request.headers).filter(([name]) =>
      ['authorization', 'content-type', 'x-app-key'].includes(name),
    );
    const answer = await fetch(`${baseUrl}${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.fromEntries(headers) as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = (await answer.text())
      .replaceAll('"auth/invalid-credential"', '"auth/from-the-future"')
      .replaceAll('"method":"password"', '"method":"hologram","new_field":{"any":1}');
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}
