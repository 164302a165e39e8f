// The contract's response headers, checked on every call of every test: a successful answer has those that its endpoint
// declares, and no other answer does.
import { metadataOf, type ProofHeader } from '@foyer/contract';
import { contractRoutes } from './contract-routes.js';

const names: readonly ProofHeader[] = ['X-Code-Flow', 'X-Device-Token'];
const declared = new Map(
  contractRoutes.map(({ route }) => [
    `${route.method} ${route.path}`,
    metadataOf(route).answersHeaders ?? [],
  ]),
);

export function requireDeclaredHeaders(method: string, path: string, answer: Response): void {
  const expected = answer.ok ? (declared.get(`${method} ${path}`) ?? []) : [];
  for (const name of names) {
    if (answer.headers.has(name) === expected.includes(name)) continue;
    const verdict = expected.includes(name) ? 'without' : 'with';
    throw new Error(`${method} ${path} answered ${answer.status} ${verdict} ${name}`);
  }
}
