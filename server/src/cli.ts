#!/usr/bin/env node
// The executable `foyer`.
import { runCommand } from './cli/run.js';

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  stderr: process.stderr,
});
