// Concurrent calls: revocations against refreshes and sign-ins, and refreshes against each other, on two instances that
// share a database. No session or token from before a revocation survives it.
import type { TokenAnswer } from '@foyer/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { commandLine } from '../src/model/actor.js';
import { signOutEverywhere } from '../src/sessions/end-sessions.js';
import { type Answer, type TestService, testService } from './harness.js';
import { sessionScenario } from './session-scenario.js';
import { inFull } from './thorough.js';

// Seconds on an idle machine, minutes on a busy one.
vi.setConfig({ testTimeout: 300_000 });

const rounds = inFull(200, 10);
const reuses = inFull(50, 6);
let instances: [TestService, TestService];
beforeAll(async () => {
  const service = await testService();
  instances = [service, await service.secondInstance()];
});
afterAll(async () => {
  await instances[1].stop();
  await instances[0].stop();
});

const { start, rowOf, eventsOf } = sessionScenario(() => instances[0]);

let calls = 0;
/** The instances alternately, like a load balancer. */
function next(): TestService {
  calls += 1;
  return instances[calls % 2] as TestService;
}

/** Refreshes one token after the other until refused or done; returns every answer. */
async function refreshing(first: string, most: number): Promise<TokenAnswer[]> {
  const answers: TokenAnswer[] = [];
  for (let token = first; answers.length < most; ) {
    const answer = await next().refresh(token);
    expect([200, 401]).toContain(answer.status);
    if (answer.status !== 200) break;
    answers.push(answer.data);
    token = answer.data.refresh_token;
  }
  return answers;
}

/** Both tokens of all these answers are refused. */
async function expectDead(answers: TokenAnswer[], round: number): Promise<void> {
  const refreshTokens = [...new Set(answers.map((answer) => answer.refresh_token))];
  const outcomes = await Promise.all([
    ...refreshTokens.map((token) => next().refresh(token)),
    ...answers.map((answer) => next().call('GET', '/me', { token: answer.access_token })),
  ]);
  for (const outcome of outcomes) expect(outcome.status, `round ${round}: ${outcome.text}`).toBe(401);
}

/** Delays the revocation a little more each round, so that it falls at every point of the other calls. */
async function headStart(round: number): Promise<void> {
  for (let turns = 0; turns < round % 24; turns += 1) await new Promise(setImmediate);
}

test(`sign-out concurrent with refreshes, ${rounds} times: no token of its session survives`, async () => {
  const { user } = await start();
  let letIn = 0;
  for (let round = 0; round < rounds; round += 1) {
    const session = (await next().signIn(user)).data;
    const racing = [1, 2, 3].map(() => refreshing(session.refresh_token, 3));
    await headStart(round);
    const out = await next().call('POST', '/auth/sign-out', { token: session.access_token });
    expect(out.status).toBe(204);
    const given = (await Promise.all(racing)).flat();
    letIn += given.length;
    await expectDead([session, ...given], round);
  }
  // They raced: some came before the sign-out, and some after it.
  expect(letIn).toBeGreaterThan(0);
  expect(letIn).toBeLessThan(rounds * 9);
});

test(`sign-out-all concurrent with refreshes and sign-ins, ${rounds} times: no earlier session survives`, async () => {
  const { user } = await start();
  let survivors = [user.tokens];
  for (let round = 0; round < rounds; round += 1) {
    // Answered before the sign-out-all is sent: these must end, and so must the survivors of the last round.
    const session = (await next().signIn(user)).data;
    const before = [session, ...survivors];
    const refreshes = before.map((each) => refreshing(each.refresh_token, 2));
    const signIns = [next().signIn(user), next().signIn(user)];
    await headStart(round);
    const out = await next().call('POST', '/auth/sign-out-all', { token: session.access_token });
    expect(out.status).toBe(204);

    // Sent after its answer: this must survive.
    const after = await next().signIn(user);
    await expectDead([...before, ...(await Promise.all(refreshes)).flat()], round);
    // Concurrent: each came wholly before or wholly after, so both of its tokens are valid or both are not.
    const unsettled = await Promise.all(signIns);
    expect(unsettled.map((answer) => answer.status)).toEqual([200, 200]);
    survivors = [after.data];
    for (const { data } of unsettled) if (await livesWhole(data)) survivors.push(data);
    expect((await next().call('GET', '/me', { token: after.data.access_token })).status).toBe(200);
  }
});

test(`late reuse concurrent with a refresh, ${reuses} times: the session ends in either order`, async () => {
  const [service] = instances;
  for (let round = 0; round < reuses; round += 1) {
    const { first, sid, user } = await start();
    const current = (await service.refresh(first)).data;
    service.clock.advance(30_001);
    const owner = refreshing(current.refresh_token, 3);
    await headStart(round);
    const thief = await next().refresh(first);
    expect(thief).toMatchObject({ status: 401, code: 'auth/refresh-token-revoked' });
    await expectDead([current, ...(await owner)], round);
    expect(await rowOf(sid)).toMatchObject({ endReason: 'refresh_reuse' });
    expect(await eventsOf(user.uid, 'session.ended')).toHaveLength(1);
  }
});

test('64 refreshes of one token on two instances create one successor and answer the same bytes', async () => {
  for (let round = 0; round < inFull(10, 2); round += 1) {
    const { first, sid } = await start();
    const answers = await Promise.all(Array.from({ length: 64 }, () => next().refresh(first)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.data.refresh_token)).size).toBe(1);
    expect(await rowOf(sid)).toMatchObject({ generation: 1, endedAt: null });
  }
});

test('concurrent refreshes of every generation never fork the chain or end the session', async () => {
  const { first, sid } = await start();
  const seen = [first];
  for (let round = 0; round < inFull(20, 8); round += 1) {
    const answers = await Promise.all([...seen, ...seen].map((token) => next().refresh(token)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    for (const { data } of answers) if (!seen.includes(data.refresh_token)) seen.push(data.refresh_token);
    // Each distinct token is one generation of a single chain.
    expect(seen).toHaveLength((await rowOf(sid)).generation + 1);
  }
});

test('sign-ins at the session limit concurrent with sign-out of all neither deadlock nor fail', async () => {
  const [service] = instances;
  const { user } = await start();
  const call = { app: service.app.app, uid: user.uid, actor: commandLine };
  for (let round = 0; round < inFull(4, 1); round += 1) {
    await Promise.all(Array.from({ length: 98 }, () => next().signIn(user)));
    const answers: Promise<Answer>[] = Array.from({ length: 12 }, () => next().signIn(user));
    const ends = [0, 1].map(() => signOutEverywhere(service.deps, call));
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200);
    await Promise.all(ends);
    const live = await service.database.prisma.session.count({ where: { uid: user.uid, endedAt: null } });
    expect(live).toBeLessThanOrEqual(100);
  }
});

async function livesWhole(session: TokenAnswer): Promise<boolean> {
  const [me, refresh] = await Promise.all([
    next().call('GET', '/me', { token: session.access_token }),
    next().refresh(session.refresh_token),
  ]);
  expect([
    [200, 200],
    [401, 401],
  ]).toContainEqual([me.status, refresh.status]);
  return me.status === 200;
}
