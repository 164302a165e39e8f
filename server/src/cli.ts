#!/usr/bin/env node
// The command line `foyer` as a program.
import { runCommand } from './cli/run.js';

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  stderr: process.stderr,
});
