// Order and admission of the password queue, as tables.
import { describe, expect, test } from 'vitest';
import { type FairQueueLimits, fairQueue } from './fair-queue.js';

/** `app network job`, with `!` after the job if it has failures and `*cost` if it costs more than one. */
type Line = `${string} ${string} ${string}`;

function filled(lines: Line[], limits: Partial<FairQueueLimits> = {}) {
  const queue = fairQueue<string>({ maxCost: 1_000_000, maxPerNetwork: 8, ...limits });
  const push = (line: Line) => {
    const [appId = '', network = '', job = ''] = line.split(' ');
    const [name = '', cost = '1'] = job.split('*');
    const requester = { appId, network: network === '-' ? null : network, hasFailures: name.endsWith('!') };
    return queue.push(requester, name.replace('!', ''), Number(cost));
  };
  const refused = lines.filter((line) => !push(line)).map((line) => line.split(' ')[2]?.split('*')[0]);
  const shiftAll = () => Array.from({ length: queue.size }, () => queue.shift()).join(' ');
  return { queue, push, refused, shiftAll };
}

describe('the order', () => {
  test.each<[string, Line[], string]>([
    ['of one network is the order of arrival', ['a x 1', 'a x 2', 'a x 3'], '1 2 3'],
    ['alternates between apps', ['a x 1', 'a y 2', 'a z 3', 'b x 4', 'b x 5'], '1 4 2 5 3'],
    ['alternates between the networks of an app', ['a x 1', 'a x 2', 'a x 3', 'a y 4', 'a z 5'], '1 4 5 2 3'],
    ['counts a backend as one network', ['a - 1', 'a - 2', 'a - 3', 'a y 4'], '1 4 2 3'],
    ['takes accounts without failures first', ['a x 1!', 'a x 2', 'a y 3!', 'a y 4'], '2 4 1 3'],
    [
      'lets one with failures pass after four others, so that it is served at all',
      ['a x 0!', 'a y 1', 'a y 2', 'a y 3', 'a y 4', 'a y 5', 'a y 6'],
      '1 2 3 0 4 5 6',
    ],
    ['takes cheap jobs first', ['a x 1*16', 'a y 2*4', 'a z 3*8'], '2 3 1'],
    [
      'keeps apps in turn, whatever their jobs cost',
      ['a x 1*16', 'a y 2*16', 'b x 3*1', 'b y 4*1'],
      '1 3 2 4',
    ],
  ])('%s', (_name, lines, order) => {
    expect(filled(lines).shiftAll()).toBe(order);
  });

  test('serves an expensive job while cheap ones continue to arrive', () => {
    const { queue, push } = filled(['a x expensive*16', 'a y cheap*2']);
    const served: (string | undefined)[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      served.push(queue.shift());
      push(`a n${turn} cheap*2`);
    }
    expect(served.indexOf('expensive')).toBe(7);
  });

  test('puts a later network behind the first job of each other one, not behind all their jobs', () => {
    const { queue, push, shiftAll } = filled(['a x 1', 'a x 2', 'a x 3', 'a x 4', 'a y 5']);
    expect([queue.shift(), queue.shift()]).toEqual(['1', '5']);
    push('a z 6');
    expect(shiftAll()).toBe('2 6 3 4');
  });
});

describe('admission', () => {
  const times = (count: number, line: (place: number) => Line) =>
    Array.from({ length: count }, (_, n) => line(n));

  test.each<[string, Partial<FairQueueLimits>, Line[], string[]]>([
    ['a network has a share', { maxPerNetwork: 2 }, ['a x 1', 'a x 2', 'a x 3', 'a y 4'], ['3']],
    ['of each app', { maxPerNetwork: 1 }, ['a x 1', 'a x 2', 'b x 3', 'b x 4'], ['2', '4']],
    ['and a backend has none', { maxPerNetwork: 1 }, ['a - 1', 'a - 2', 'a - 3'], []],
    [
      'the share of a network is a share of the work, too',
      { maxCostPerNetwork: 4 },
      ['a x 1*2', 'a x 2*2', 'a x 3*1', 'a y 4*9', 'a y 5*1', 'a - 6*9', 'a - 7*9'],
      ['3', '5'],
    ],
    ['one app holds half the queue', { maxCost: 4 }, times(4, (n) => `a n${n} ${n}`), ['2', '3']],
    [
      'two apps a third each',
      { maxCost: 6 },
      [...times(4, (n) => `a n${n} a${n}` as Line), ...times(4, (n) => `b n${n} b${n}` as Line)],
      // The first app found an empty queue, and took half of it.
      ['a3', 'b1', 'b2', 'b3'],
    ],
    ['each app has a place for one job', { maxCost: 1 }, ['a x 1', 'b x 2', 'b x 3', 'c x 4'], ['3']],
    ['costs are what counts', { maxCost: 16 }, ['a x 1*4', 'a y 2*6', 'a z 3*4', 'a w 4*1'], ['2', '4']],
    ['a job alone waits whatever it costs', { maxCost: 4 }, ['a x 1*9', 'a y 2*1', 'b x 3*9'], ['2']],
  ])('%s', (_name, limits, lines, refused) => {
    expect(filled(lines, limits).refused).toEqual(refused);
  });

  test('served and cleared jobs free their places', () => {
    const { queue, push } = filled(
      times(4, (n) => `a n${n} ${n}`),
      { maxCost: 8, maxPerNetwork: 1 },
    );
    expect(push('a n0 again')).toBe(false);
    expect(queue.shift()).toBe('0');
    expect(push('a n0 again')).toBe(true);
    expect(queue.clear()).toEqual(['1', '2', '3', 'again']);
    expect([queue.size, queue.shift(), push('b x 1*8')]).toEqual([0, undefined, true]);
  });
});
