import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { Deps } from '../deps.js';
import { jsonLogger } from '../lib/logger.js';
import { serveCommands } from './local-socket.js';

test.each([
  ['text that is not JSON', 'hello\n'],
  ['two requests at once', '["apps"]\n["apps"]\n'],
  ['JSON that is no list', 'null\n'],
  ['a list that holds no words', '["apps", {}]\n'],
  ['an unknown command', '["strat"]\n'],
])('%s is answered with an error, and the service goes on', async (_what, request) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'foyer-test-'));
  const stop = await serveCommands({ config: { dataDir }, logger: jsonLogger('silent') } as Deps);
  onTestFinished(async () => {
    await stop();
    await rm(dataDir, { recursive: true });
  });
  const socket = createConnection(join(dataDir, 'commands.sock'));
  socket.write(request);
  expect(JSON.parse(await text(socket))).toEqual({ error: expect.any(String) });
});
