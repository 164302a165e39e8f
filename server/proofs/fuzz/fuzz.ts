// Sends hostile input to every route, and judges each answer by the OpenAPI document.
import { Agent } from 'node:http';
import { credentialsOf, metadataOf } from '@foyer/contract';
import { badInput, type Came, type Input, type Overrides, send, shown } from '../../test/bad-input.js';
import { type Chance, chanceOf } from '../../test/bad-values.js';
import { type ContractRoute, contractRoutes } from '../../test/contract-routes.js';
import { goodValues, knownRows } from '../../test/known-rows.js';
import { providerScenario } from '../../test/provider-scenario.js';
import { type Operation, operations, undescribed } from './described.js';
import { documentedInput } from './documented-input.js';
import { hostileConversation } from './hostile-connection.js';
import { preparation } from './preparation.js';

export type FuzzResult = {
  inputs: number;
  /** Answers by status, those on hostile connections included. */
  statuses: Map<number, number>;
  /** Requests sent in a hostile way, and how many of them were answered at all. */
  connections: { sent: number; answered: number };
  problems: string[];
};

const inputsPerRound = 20;
/** The answers that no route describes, since no route was found or HTTP itself was broken. */
const codesOfNoRoute = [
  'request/not-found',
  'request/method-not-allowed',
  'request/malformed-http',
  'request/timeout',
];
const maxProblems = 20;

export async function fuzz(
  { seed, count }: { seed: number; count: number },
  onRound: (inputs: number) => unknown = () => {},
): Promise<FuzzResult> {
  const result: FuzzResult = {
    inputs: 0,
    statuses: new Map(),
    connections: { sent: 0, answered: 0 },
    problems: [],
  };
  const providers = await providerScenario();
  const { service } = providers;
  // The app whose settings are sent bad input, so that a valid one does not affect the other routes. When it refuses the
  // calls that create rows, a new one takes its place.
  let settled = await service.newApp();
  let rows = knownRows(providers, settled);
  const prepared = async (each: ContractRoute) => {
    const user = await rows.user();
    return { user, member: await rows.member(), params: await rows.params(each, user) };
  };
  const prepare = preparation(service.deps.metrics, result.problems);
  const newSettledApp = async () => {
    settled = await service.newApp();
    rows = knownRows(providers, settled);
  };
  const agent = new Agent({ keepAlive: true, maxSockets: inputsPerRound });
  const { port } = service.listening;
  const tally = (status: number) => result.statuses.set(status, (result.statuses.get(status) ?? 0) + 1);

  for (let round = 0; result.inputs < count && result.problems.length < maxProblems; round += 1) {
    const each = contractRoutes[round % contractRoutes.length] as ContractRoute;
    const operation = operations.get(each.id) as Operation;
    const { user, member, params } = await prepare(() => prepared(each), newSettledApp);
    const tasks = Array.from(
      { length: Math.min(inputsPerRound, count - result.inputs) },
      async (_, place) => {
        const name = `seed ${seed}, input ${result.inputs + place}`;
        const chance = chanceOf(seed * 1_000_003 + result.inputs + place);
        const { auth } = metadataOf(each.route);
        const app = auth === 'admin' || auth === 'member' ? settled : service.app;
        const given: Overrides = {
          prefix: '/api/v2',
          appKey: auth.startsWith('console') ? member.appKey : app.app.appKey,
          bearer: bearerOf(chance, each, {
            user: user.tokens.access_token,
            secret: app.secretKey,
            member: member.token,
          }),
          params,
          values: goodValues(chance, user),
        };
        const input = chance.oneIn(3)
          ? badInput(chance, each.route, given)
          : documentedInput(chance, each, operation, given);
        if (chance.oneIn(40)) {
          const { statuses, text } = await hostileConversation(chance, port, input);
          result.connections.sent += 1;
          if (statuses.length > 0) result.connections.answered += 1;
          for (const status of statuses) tally(status);
          const broken = statuses.find((status) => status >= 500);
          if (broken)
            result.problems.push(
              `${name} on a hostile connection: ${shown(input)} answered ${text.slice(0, 500)}`,
            );
          return;
        }
        const came = await send({ port, agent }, input).catch((error: unknown) => String(error));
        if (typeof came === 'string') {
          result.problems.push(`${name}: ${shown(input)} got no answer: ${came}`);
          return;
        }
        tally(came.status);
        const problem = problemOf(operation, input, came);
        if (problem)
          result.problems.push(`${name}: ${problem}\n  ${shown(input)}\n  ${came.text.slice(0, 500)}`);
      },
    );
    await Promise.all(tasks);
    result.inputs += tasks.length;
    onRound(result.inputs);
  }
  if (Reflect.has({}, 'polluted')) result.problems.push('a body has changed Object.prototype');
  const alive = await fetch(`http://127.0.0.1:${port}/readyz`);
  if (!alive.ok) result.problems.push(`/readyz answers ${alive.status} at the end`);
  agent.destroy();
  await providers.stop();
  return result;
}

/** The credentials of a caller of the route, or none where it needs none. */
function bearerOf(
  chance: Chance,
  { route }: ContractRoute,
  given: { user: string; secret: string; member: string },
): string | null {
  const { user, secretKey, member, demanded } = credentialsOf(metadataOf(route).auth);
  return chance.pick([
    ...(demanded ? [] : [null]),
    ...(user ? [given.user] : []),
    ...(secretKey ? [given.secret] : []),
    ...(member ? [given.member] : []),
  ]);
}

function problemOf(operation: Operation, input: Input, came: Came): string | null {
  // A refresh token whose changed byte names an unknown encryption key cannot be judged (refresh-token design).
  const unknownKey = operation.operationId === 'sessionsRefresh' && came.status === 503;
  if (came.status >= 500 && !unknownKey) return `answered ${came.status}`;
  const code = came.status >= 400 ? codeOf(came.text) : null;
  const ofNoRoute = code !== null && codesOfNoRoute.includes(code) && !input.known;
  return ofNoRoute ? null : undescribed(operation, came);
}

function codeOf(text: string): string | null {
  try {
    return JSON.parse(text).error.code;
  } catch {
    return null;
  }
}
