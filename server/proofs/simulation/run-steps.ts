// Runs one step of each of many schedules. They share no rows, so their order does not matter: statements of one text run
// together, also those within transactions.
import { setImmediate } from 'node:timers/promises';
import type { Step } from './process.js';
import type { Result, Statement, Statements } from './statements.js';

export type Run = (statement: Statement) => Promise<Result>;

type TransactionStep = Extract<Step, { kind: 'transaction' }>;
type Waiting = { transaction: Transaction; statement: Statement; done(result: Result): void };

export async function runSteps(steps: Step[], statements: Statements): Promise<void> {
  const single = steps.flatMap((step) => (step.kind === 'statement' ? [step] : []));
  const results = await statements.run(single.map(({ statement }) => statement));
  for (const [place, step] of single.entries()) step.done(results[place] as Result);
  await runTransactions(
    steps.flatMap((step) => (step.kind === 'transaction' ? [step] : [])),
    statements,
  );
}

async function runTransactions(steps: TransactionStep[], statements: Statements): Promise<void> {
  if (steps.length === 0) return;
  let waiting: Waiting[] = [];
  const transactions = steps.map((step) => new Transaction(step, (each) => waiting.push(each)));
  await setImmediate();
  const first = waiting;
  // Statements that begin alike have a savepoint of their own: to undo one that failed, all are rolled back, and the
  // statements of the others run again.
  for (const text of new Set(first.map(({ statement }) => statement.text))) {
    const own = first.filter(({ statement }) => statement.text === text);
    waiting = own;
    const savepoint = await statements.savepoint();
    while (waiting.length > 0) {
      const now = waiting;
      waiting = [];
      const results = await statements.run(now.map(({ statement }) => statement));
      for (const [place, { done }] of now.entries()) done(results[place] as Result);
      await setImmediate();
    }
    const failed = own.filter(({ transaction }) => transaction.hasFailed);
    if (failed.some(({ transaction }) => transaction.ran.some(isChange))) {
      await savepoint.rollBack();
      await runAgain(
        own.filter((each) => !failed.includes(each)),
        statements,
      );
    }
    await savepoint.release();
  }
  for (const { outcome } of transactions) {
    if (!outcome) throw new Error('a transaction has no outcome');
    outcome.end();
  }
}

async function runAgain(kept: Waiting[], statements: Statements): Promise<void> {
  const most = Math.max(0, ...kept.map(({ transaction }) => transaction.ran.length));
  for (let place = 0; place < most; place += 1)
    await statements.run(kept.flatMap(({ transaction }) => transaction.ran.slice(place, place + 1)));
}

class Transaction {
  readonly ran: Statement[] = [];
  outcome: { failed: boolean; end(): void } | undefined;

  constructor(step: TransactionStep, wait: (waiting: Waiting) => void) {
    const run: Run = (statement) => {
      this.ran.push(statement);
      return new Promise((done) => wait({ transaction: this, statement, done }));
    };
    void step.begin(run).then((outcome) => {
      this.outcome = outcome;
    });
  }

  get hasFailed(): boolean {
    return this.outcome?.failed === true;
  }
}

function isChange({ text }: Statement): boolean {
  return !/^\s*SELECT/.test(text);
}
