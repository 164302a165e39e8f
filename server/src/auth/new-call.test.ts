import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import type { Request } from 'express';
import { expect, it } from 'vitest';
import { jsonText } from '../http/json-answer.js';
import type { App } from '../model/app.js';
import { newCall } from './new-call.js';

setFlagsFromString('--allow-natives-syntax');
const hasFastProperties = runInThisContext('(object) => %HasFastProperties(object)') as (
  object: object,
) => boolean;

// An object with a getter of its own has slow properties, and survived the collections of young objects with its request: a
// third of the processor time of small calls.
it.each<[string, () => object]>([
  ['call', () => newCall({ headers: {}, socket: {}, app: {} } as Request, {} as App, async () => {})],
  ['answer of prepared text', () => jsonText({}, '{"data":{}}')],
])('each %s has fast properties', (_name, make) => {
  expect(hasFastProperties(make())).toBe(true);
});
