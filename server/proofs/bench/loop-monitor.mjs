// Loaded into the service (`--import`) by bodies.ts: writes the longest time of the main thread's processor between two turns
// of the event loop since the last question, for each line on the standard input. Processor time, so that other work on the
// machine does not count; the timer keeps turns short while nothing happens.
import { readFileSync } from 'node:fs';

const path = `/proc/self/task/${process.pid}/schedstat`;
const processorTime = () => Number(readFileSync(path, 'latin1').split(' ', 1)[0]) / 1e6;

let last = processorTime();
let longest = 0;
function turn() {
  const now = processorTime();
  longest = Math.max(longest, now - last);
  last = now;
  setImmediate(turn);
}
turn();
process.stdin.on('data', () => {
  process.stdout.write(`longest ${longest}\n`);
  longest = 0;
});
process.stdin.unref?.();
