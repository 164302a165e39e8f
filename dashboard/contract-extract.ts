// A Vite plugin: what the first load needs of the contract, taken from it during the build. The whole contract with its
// schemas and descriptions would more than double the script that a browser loads before the first page.
import { errorCatalogue } from '@foyer/contract';
import type { Plugin } from 'vite';

export function contractExtract(): Plugin {
  const name = 'virtual:contract-extract';
  return {
    name: 'contract-extract',
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load: (id) =>
      id === `\0${name}` ? `export const errorMessages = ${JSON.stringify(errorMessages())};` : null,
  };
}

/** Without the hint for developers at the end: the pages show `fields`. */
function errorMessages() {
  return Object.fromEntries(
    Object.entries(errorCatalogue).map(([code, { message }]) => [
      code,
      message.replace(/; `fields` [^.]*\.$/, '.'),
    ]),
  );
}
