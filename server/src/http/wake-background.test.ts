// Which requests wake the background work, and when.
import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { wakeSignal } from '../lib/wake-signal.js';
import { wakeBackground } from './wake-background.js';

test.each([
  ['GET', 0],
  ['HEAD', 0],
  ['OPTIONS', 0],
  ['POST', 1],
  ['PUT', 1],
  ['PATCH', 1],
  ['DELETE', 1],
])('a request with the method %s wakes each listener %d times, once it has ended', (method, times) => {
  const background = wakeSignal();
  const woken: string[] = [];
  for (const name of ['webhooks', 'mails']) background.listen(() => woken.push(name));
  const res = new EventEmitter();
  let isHandled = false;
  wakeBackground({ background })({ method } as Request, res as unknown as Response, () => {
    isHandled = true;
  });
  expect([isHandled, woken]).toEqual([true, []]);
  res.emit('close');
  expect(woken).toEqual(times === 0 ? [] : ['webhooks', 'mails']);
});
