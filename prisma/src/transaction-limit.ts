// Connections that no transaction of several statements is given: it holds its connection while it waits for the locks of rows, and
// ten of them would leave none for the single statements of a sign-in, a refresh, a call with an access token or a probe.
import type pg from 'pg';

/** The part of a pool's connections that transactions cannot use. */
const reservedShare = 1 / 5;

type Connect = () => Promise<pg.PoolClient>;
type Waiting = { start(): void };

/** Limits the connections that `connect` has provided and that are not released yet; the others wait for as long as for the pool. */
export function limitTransactions(connect: Connect, connections: number, waitMilliseconds: number): Connect {
  const most = connections - Math.floor(connections * reservedShare);
  const waiting: Waiting[] = [];
  let lent = 0;

  function end(): void {
    const next = waiting.shift();
    if (next) next.start();
    else lent -= 1;
  }

  function start(): Promise<void> | undefined {
    if (lent < most) {
      lent += 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const mine: Waiting = {
        start() {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(mine), 1);
        reject(new Error('timeout exceeded when trying to connect: too many transactions are running'));
      }, waitMilliseconds);
      waiting.push(mine);
    });
  }

  return async () => {
    await start();
    try {
      const client = await connect();
      const { release } = client;
      client.release = (error) => {
        client.release = release;
        release(error);
        end();
      };
      return client;
    } catch (error) {
      end();
      throw error;
    }
  };
}
