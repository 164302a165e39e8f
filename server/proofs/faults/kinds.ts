// The faults: how each begins, and how it ends. What an operator's process manager does (start again what has ended) is done
// here as the fault ends.
import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './world.js';

export type Fault = {
  begin(world: World): unknown;
  end(world: World): unknown;
};

export const faults: Record<string, Fault> = {
  'kill-service': { begin: (w) => w.killService('SIGKILL'), end: (w) => w.startService() },
  'restart-service': { begin: (w) => w.killService('SIGTERM'), end: (w) => w.startService() },
  'freeze-service': {
    begin: (w) => process.kill(w.pid, 'SIGSTOP'),
    end: (w) => process.kill(w.pid, 'SIGCONT'),
  },
  'descriptors-out': { begin: (w) => w.limitDescriptors(true), end: (w) => w.limitDescriptors(false) },
  'clock-ahead': { begin: (w) => w.step(20_000), end: () => {} },
  'clock-back': { begin: (w) => w.step(-20_000), end: () => {} },
  'kill-database': { begin: (w) => w.cluster.end('SIGKILL'), end: (w) => w.cluster.start() },
  'restart-database': { begin: (w) => w.cluster.end('SIGINT'), end: (w) => w.cluster.start() },
  'kill-both': {
    begin: (w) => Promise.all([w.killService('SIGKILL'), w.cluster.end('SIGKILL')]),
    end: async (w) => {
      await w.cluster.start();
      await w.startService();
    },
  },
  'freeze-database': { begin: (w) => w.cluster.signal('SIGSTOP'), end: (w) => w.cluster.signal('SIGCONT') },
  'end-connections': {
    begin: (w) =>
      w.cluster.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'foyer'",
      ),
    end: () => {},
  },
  'connections-out': connectionsOut(),
  'read-only-database': {
    begin: (w) =>
      w.cluster.sql('ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()'),
    end: (w) =>
      w.cluster.sql(
        'SET default_transaction_read_only = off',
        'ALTER SYSTEM RESET default_transaction_read_only',
        'SELECT pg_reload_conf()',
      ),
  },
  'disk-full': {
    begin: (w) => w.cluster.fillDisk(),
    end: async (w) => {
      w.cluster.freeDisk();
      await w.cluster.start();
    },
  },
  'cut-database': proxied('databaseProxy', 'cut'),
  'stall-database': proxied('databaseProxy', 'stall'),
  'slow-database': proxied('databaseProxy', 'slow'),
  'lost-commits': proxied('databaseProxy', 'lose answers'),
  'cut-clients': proxied('clientProxy', 'cut'),
  'stall-clients': proxied('clientProxy', 'stall'),
  'lost-answers': proxied('clientProxy', 'lose answers'),
  'redis-down': { begin: (w) => w.redis.stop(), end: (w) => w.redis.start() },
  'freeze-redis': { begin: (w) => w.redis.signal('SIGSTOP'), end: (w) => w.redis.signal('SIGCONT') },
  'mail-down': { begin: (w) => w.mail.down(), end: (w) => w.mail.up() },
  'mail-hangs': {
    begin: (w) => w.mail.behave({ silentRecipients: true }),
    end: async (w) => {
      w.mail.behave({});
      await w.mail.hangUp();
    },
  },
  'mail-loses-answers': {
    begin: (w) => w.mail.behave({ afterData: 'hang up' }),
    end: (w) => w.mail.behave({}),
  },
  'webhook-errors': { begin: (w) => w.receiver.answer(500), end: (w) => w.receiver.answer(204) },
  'webhook-hangs': { begin: (w) => w.receiver.answer(() => {}), end: (w) => w.receiver.answer(204) },
  'provider-keys-down': {
    begin: (w) => w.provider.answer('/keys', (_call, res) => void res.writeHead(503).end()),
    end: (w) => w.provider.answer('/keys', null),
  },
};

function proxied(
  proxy: 'databaseProxy' | 'clientProxy',
  mode: 'cut' | 'stall' | 'slow' | 'lose answers',
): Fault {
  return { begin: (w) => w[proxy].set(mode), end: (w) => w[proxy].set('forward') };
}

/** The service loses its connections, and others have taken all of the server's. */
function connectionsOut(): Fault {
  let held: { close(): Promise<unknown> } | undefined;
  return {
    async begin(w) {
      held = await w.cluster.hold(60);
      await w.databaseProxy.set('cut');
      await sleep(50);
      w.databaseProxy.set('forward');
    },
    end: () => held?.close(),
  };
}
