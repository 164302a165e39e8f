#!/usr/bin/env node
// The executable `foyer`.
import { runCommand } from './cli/run.js';

const argv = process.argv.slice(2);
/** After the service has stopped, for what still waits for others, such as an export of traces. */
const exitMilliseconds = 200;

process.exitCode = await runCommand(argv, {
  env: process.env,
  print: (line) => process.stdout.write(`${line}\n`),
  stderr: process.stderr,
});
// The timer does not keep the process alive, so it fires only if something else does.
if (argv[0] === 'start') setTimeout(() => process.exit(), exitMilliseconds).unref();
