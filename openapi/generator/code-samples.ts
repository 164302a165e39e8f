// The code samples of each operation: curl from the examples of the document, and the SDK from its own samples, which
// its tests compile and run.
import { readFileSync } from 'node:fs';
import type { Document } from './examples.js';

type Parameter = {
  name: string;
  in: string;
  example?: unknown;
  schema?: { example?: unknown };
};
type Operation = {
  'x-operation': string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  responses: object;
  requestBody?: { content: Record<string, { example?: unknown; schema?: object }> };
};
type CodeSample = { lang: string; label: string; source: string };

const sdkSamples = {
  ...samplesIn('client.ts', clientPrelude),
  ...samplesIn('backend.ts', backendPrelude),
};

/** Adds `x-codeSamples` to every operation; `withSdk` for the version of the API that the SDK supports. */
export function addCodeSamples(document: Document, { withSdk }: { withSdk: boolean }): void {
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(methods as Record<string, Operation>)) {
      const sdk = withSdk ? sdkSamples[operation['x-operation']] : undefined;
      const samples: CodeSample[] = [{ lang: 'Shell', label: 'curl', source: curl(method, path, operation) }];
      if (sdk) samples.push({ lang: 'TypeScript', label: 'SDK', source: sdk });
      Object.assign(operation, { 'x-codeSamples': samples });
    }
  }
}

function curl(method: string, path: string, operation: Operation): string {
  const lines = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${quoted(addressOf(path, operation))}`,
  ];
  // No token where one is optional; otherwise that of a user, a secret key or that of a member, whichever is accepted first.
  const { security = [] } = operation;
  const isOptional = security.length === 2 && security.some((each) => Object.keys(each).join() === 'appKey');
  const credentials =
    security.find((each) => isOptional && !('accessToken' in each)) ??
    security.find((each) => 'accessToken' in each) ??
    security.find((each) => 'secretKeyAuth' in each) ??
    security.at(-1) ??
    {};
  if ('appKey' in credentials) lines.push(`-H 'X-App-Key: <APP_KEY>'`);
  if ('accessToken' in credentials || 'memberToken' in credentials)
    lines.push(`-H 'Authorization: Bearer <ACCESS_TOKEN>'`);
  if ('secretKeyAuth' in credentials) lines.push(`-H 'Authorization: Bearer <SECRET_KEY>'`);
  if ('428' in operation.responses) lines.push(`-H 'If-Match: <ETAG>'`);
  const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (type === 'multipart/form-data') lines.push(`-F 'file=@photo.jpg'`);
  else if (type === 'application/x-www-form-urlencoded') {
    const fields = Object.entries(body?.example ?? {});
    lines.push(...fields.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`));
  } else if (type) {
    lines.push(`-H 'Content-Type: ${type}'`, `-d ${quoted(JSON.stringify(body?.example, null, 2))}`);
  }
  return lines.join(' \\\n  ');
}

function addressOf(path: string, { parameters = [] }: Operation): string {
  const written = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return encodeURIComponent(String(parameter?.example ?? parameter?.schema?.example ?? `<${name}>`));
  });
  return `{base_url}${written}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The samples of a file by operation: the body of each function, preceded by the code that creates the client. */
function samplesIn(file: string, prelude: (body: string) => string): Record<string, string> {
  const text = readFileSync(new URL(`../../sdk/samples/${file}`, import.meta.url), 'utf8');
  const functions = text.matchAll(/^ {2}'([\w.]+)': async \([^)]*\) => \{\n([\s\S]*?)\n {2}\},$/gm);
  return Object.fromEntries(
    [...functions].map(([, operation, indented = '']) => {
      const body = indented.replace(/^ {4}/gm, '');
      return [operation, `${prelude(body)}\n\n${body}`];
    }),
  );
}

function clientPrelude(body: string): string {
  const parts = ['collection', 'files', 'push', 'remoteConfig'].filter((part) =>
    new RegExp(`\\b${part}(<.*>)?\\(foyer`).test(body),
  );
  const names = [...parts, 'createClient'].sort().join(', ');
  return `import { ${names} } from '@foyer/sdk';

const foyer = createClient({ baseUrl: '{base_url}', appKey: '<APP_KEY>' });`;
}

function backendPrelude(body: string): string {
  const options = ["  baseUrl: '{base_url}',", "  appKey: '<APP_KEY>',"];
  if (body.includes('verifyAccessToken')) options.push("  appId: '<APP_ID>',");
  else options.push('  secretKey: process.env.FOYER_SECRET_KEY,');
  return `import { createAdmin } from '@foyer/sdk/admin';

const foyer = createAdmin({
${options.join('\n')}
});`;
}
