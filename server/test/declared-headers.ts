// The contract's response headers, checked on every call of every test: a successful answer has those that its endpoint
// declares, and no other answer does.
import { metadataOf, type ProofHeader } from '@foyer/contract';
import { contractRoutes } from './contract-routes.js';

const names: readonly ProofHeader[] = ['X-Code-Flow', 'X-Device-Token'];
const declaring = contractRoutes
  .map(({ route }) => ({
    method: route.method as string,
    path: new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`),
    headers: metadataOf(route).answersHeaders ?? [],
  }))
  .filter(({ headers }) => headers.length > 0);

export function requireDeclaredHeaders(method: string, path: string, answer: Response): void {
  const route = declaring.find((each) => each.method === method && each.path.test(path));
  const expected = answer.ok && route ? route.headers : [];
  for (const name of names) {
    if (answer.headers.has(name) === expected.includes(name)) continue;
    const verdict = expected.includes(name) ? 'without' : 'with';
    throw new Error(`${method} ${path} answered ${answer.status} ${verdict} ${name}`);
  }
}
