// The time that each IP address of a host has to accept a connection. Node gives up on all but the last one after 250 ms, also on
// one that is far away while the others cannot be reached, as those of IPv6 in most containers: the host is then never reached.
import { getDefaultAutoSelectFamilyAttemptTimeout, setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';

/** The system repeats a lost first packet after a second. An IP address that does not answer costs a call half of its time. */
const attemptMilliseconds = 2_500;

/** For every connection of the process. A longer time, from NODE_OPTIONS, remains. */
export function connectPatiently(): void {
  const known = getDefaultAutoSelectFamilyAttemptTimeout();
  setDefaultAutoSelectFamilyAttemptTimeout(Math.max(known, attemptMilliseconds));
}
