// The processor time that a process has used. It depends less than requests a second on what else the machine does.
import { readFileSync } from 'node:fs';

/** `CLK_TCK` of every common Linux. */
const ticksPerSecond = 100;

/** User and system time of all threads, in microseconds; NaN where there is no /proc. */
export function processorMicroseconds(pid: number): number {
  try {
    // The fields follow the name of the program, which may contain spaces: `utime` is field 14, `stime` 15.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1e6;
  } catch {
    return Number.NaN;
  }
}
