// What an account may do, written from the state tables of the specification ("Session and refresh token", "Emailed code",
// "Versioning") and not from the code: plain values in memory. Times are milliseconds.

const reuseMilliseconds = 30_000;
const spendsPerWindow = 64;
const idleMilliseconds = 90 * 86_400_000;
const codeMilliseconds = 600_000;
const codeGuesses = 5;
const hourMilliseconds = 3_600_000;

export type Session = {
  id: string | null;
  /** When each generation was spent; the current generation is their number. */
  spends: number[];
  /** Generations below this one were found late by an earlier refresh, and stay so if the clock steps back. */
  late: number;
  lastUsed: number;
  ended: string | null;
};
export type V1Token = { lastUsed: number };
export type Code = {
  /** Codes are numbered in the order in which they were sent. */
  number: number;
  value: string;
  flow: string;
  sentAt: number;
  guesses: number;
  flowGuesses: number;
};
export type RefreshVerdict = 'ok' | 'reuse' | 'invalid' | 'revoked' | 'limited';

export class AccountModel {
  /** Raised by whatever ends every session: a credential that was verified before is no longer accepted. */
  version = 0;
  readonly sessions: Session[] = [];
  readonly v1Tokens = new Set<V1Token>();
  v1LastUsed = Number.NEGATIVE_INFINITY;
  codes: Code[] = [];

  start(now: number): Session {
    const session = { id: null, spends: [], late: 0, lastUsed: now, ended: null };
    this.sessions.push(session);
    return session;
  }

  /** `reuse` ends the session in a second step (`endReused`), before the call is refused. */
  refresh(session: Session, generation: number, genuine: boolean, now: number): RefreshVerdict {
    if (session.ended !== null || isIdle(session, now)) return 'revoked';
    const { spends } = session;
    if (generation < spends.length && isLate(session, generation, now)) return 'reuse';
    if (!genuine || generation > spends.length) return 'invalid';
    if (generation < spends.length) return 'ok';
    const limiting = spends.at(-spendsPerWindow);
    if (limiting !== undefined && limiting >= now - reuseMilliseconds) return 'limited';
    while (session.late < spends.length && isLate(session, session.late, now)) session.late += 1;
    spends.push(Math.max(now, spends.at(-1) ?? now));
    session.lastUsed = now;
    return 'ok';
  }

  endReused(session: Session, generation: number, now: number): void {
    if (isLate(session, generation, now)) session.ended ??= 'refresh_reuse';
  }

  signOut(session: Session, now: number): void {
    if (!isIdle(session, now)) session.ended ??= 'sign_out';
  }

  signOutEverywhere(): void {
    this.version += 1;
    for (const session of this.sessions) session.ended ??= 'sign_out_all';
    this.v1Tokens.clear();
  }

  startV1(now: number): V1Token {
    const token = { lastUsed: now };
    this.v1Tokens.add(token);
    if (this.v1LastUsed <= now - hourMilliseconds) this.v1LastUsed = now;
    return token;
  }

  isV1Live(token: V1Token, now: number): boolean {
    return this.v1Tokens.has(token) && token.lastUsed > now - idleMilliseconds;
  }

  /** Whether a use at this time is recorded: at most once an hour. */
  isUseDue(lastUsed: number, now: number): boolean {
    return lastUsed <= now - hourMilliseconds;
  }

  /**
   * A guess at the newest code, or at that of the flow. `right` must still be used (`useCode`); null if no code can be guessed.
   */
  guess(
    value: string,
    flow: string | null,
    now: number,
  ): { verdict: 'right' | 'wrong' | 'expired'; code: Code; newest: number } | null {
    const newest = Math.max(...this.codes.map(({ number }) => number));
    const code = this.codes.find((each) => (flow === null ? each.number === newest : each.flow === flow));
    if (!code || (flow === null ? code.guesses : code.flowGuesses) >= codeGuesses) return null;
    code.guesses += 1;
    if (flow !== null) code.flowGuesses += 1;
    if (now - code.sentAt > codeMilliseconds) return { verdict: 'expired', code, newest };
    return { verdict: code.value === value ? 'right' : 'wrong', code, newest };
  }

  /** Ends the codes sent up to the guess; false if another call used the code first. */
  useCode(code: Code, newest: number, now: number): boolean {
    if (!this.codes.includes(code)) return false;
    this.codes = this.codes.filter(
      ({ number, sentAt }) => number > newest && sentAt >= now - codeMilliseconds,
    );
    return true;
  }
}

function isIdle(session: Session, now: number): boolean {
  return session.lastUsed <= now - idleMilliseconds;
}

function isLate(session: Session, generation: number, now: number): boolean {
  if (generation < session.late) return true;
  const spent = session.spends[generation];
  return spent !== undefined && spent < now - reuseMilliseconds;
}
