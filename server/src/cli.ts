#!/usr/bin/env node
// The executable `foyer`.
import { createInterface } from 'node:readline/promises';
import { runCommand } from './cli/run.js';

const argv = process.argv.slice(2);
/** The time after the service has stopped, for what still waits for others, such as an export of traces. */
const exitMilliseconds = 200;

process.exitCode = await runCommand(argv, {
  env: process.env,
  print: (line) => process.stdout.write(`${line}\n`),
  write: writeOut,
  stderr: process.stderr,
  ...(process.stdin.isTTY && process.stderr.isTTY && { ask: askOnTerminal }),
});
// The timer does not keep the process alive, so it fires only if something else does.
if (argv[0] === 'start') setTimeout(() => process.exit(), exitMilliseconds).unref();

/** Without a listener, a reader that has gone would end the process with the trace of an unhandled error. */
async function writeOut(text: string): Promise<void> {
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

async function askOnTerminal(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}
