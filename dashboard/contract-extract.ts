// A Vite plugin: what the first load needs of the contract, taken from it during the build. The whole contract with its
// schemas and descriptions would more than double the script that a browser loads before the first page.
import { contract, errorCatalogue } from '@foyer/contract';
import type { Plugin } from 'vite';

export function contractExtract(): Plugin {
  const name = 'virtual:contract-extract';
  return {
    name: 'contract-extract',
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load: (id) =>
      id === `\0${name}`
        ? `export const routes = ${JSON.stringify(routes())};\nexport const errorMessages = ${JSON.stringify(errorMessages())};`
        : null,
  };
}

type Route = {
  method: string;
  path: string;
  metadata: { idempotencyKey?: boolean; errors: readonly string[] };
};

/** What a client needs to send a request. */
function routes() {
  return mapValues(contract, (group) =>
    mapValues(group, ({ method, path, metadata }: Route) => ({
      method,
      path,
      ...(metadata.idempotencyKey && { idempotencyKey: true, errors: metadata.errors }),
    })),
  );
}

/** Without the hint for developers at the end: the pages show `fields`. */
function errorMessages() {
  return mapValues(errorCatalogue, ({ message }) => message.replace(/; `fields` [^.]*\.$/, '.'));
}

function mapValues<Value, Mapped>(values: Record<string, Value>, map: (value: Value) => Mapped) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
