// Sends the requests of the Postman collection as Postman does: with the variables filled in, and the scripts run.
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';

export type Item = {
  name: string;
  event?: { listen: 'test'; script: { exec: string[] } }[];
  request: {
    method: string;
    url: { raw: string; variable: { key: string; value: string }[] };
    header: { key: string; value: string; disabled?: boolean }[];
    auth: { type: 'noauth' } | { type: 'bearer'; bearer: { value: string }[] };
    body?: { mode: 'raw'; raw: string } | { mode: 'formdata' };
  };
};

export const collectionText = readFileSync(new URL('v2.postman.json', import.meta.url), 'utf8');
const { item: folders } = JSON.parse(collectionText) as { item: { name: string; item: Item[] }[] };
export const items = folders.flatMap(({ item }) => item);

/** `variables` are those of the collection; the scripts of the requests change them. `edit` replaces fields of the body. */
export async function send({ request, event = [] }: Item, variables: Map<string, string>, edit = {}) {
  const filled = (text: string) =>
    text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => variables.get(name) ?? whole);
  const url = request.url.variable.reduce(
    (raw, { key, value }) => raw.replace(`:${key}`, encodeURIComponent(value)),
    filled(request.url.raw),
  );
  const headers = new Headers(
    request.header.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, filled(value)]),
  );
  if (request.auth.type === 'bearer')
    headers.set('Authorization', `Bearer ${filled(request.auth.bearer[0]?.value ?? '')}`);
  let body: string | FormData | null = null;
  if (request.body?.mode === 'raw') {
    headers.set('Content-Type', 'application/json');
    body = JSON.stringify({ ...JSON.parse(filled(request.body.raw)), ...edit });
  } else if (request.body) {
    body = new FormData();
    body.set('file', new Blob(['text'], { type: 'text/plain' }), 'notes.txt');
  }
  const answer = await fetch(url, { method: request.method, headers, body, redirect: 'manual' });
  const text = await answer.text();
  const json = () => JSON.parse(text);
  const pm = { response: { json }, collectionVariables: variables };
  for (const { script } of event) runInNewContext(script.exec.join('\n'), { pm });
  return { status: answer.status, text };
}
