// What an account may do, written from the state tables of the specification ("Session and refresh token", "Emailed code",
// "Versioning"; the second factor from its own) and not from the code: plain values in memory. Times are milliseconds.

const reuseMilliseconds = 30_000;
const spendsPerWindow = 64;
const idleMilliseconds = 90 * 86_400_000;
const codeMilliseconds = 600_000;
const codeGuesses = 5;
const hourMilliseconds = 3_600_000;
const guessesPerTicket = 5;
const guessesPerUser = 10;
const guessMilliseconds = 900_000;

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
/** A sign-in whose first step is verified. Nothing is stored of it. */
export type Ticket = { text: string; version: number; expires: number };
export type Factor = {
  /** The base32 of the authenticator app. */
  secret: string;
  enrolledAt: number;
  /** The step of the last code that was accepted. */
  lastStep: number;
  recoveryCodes: string[];
  guesses: { at: number; ticket: Ticket }[];
  usedTickets: Ticket[];
};
export type FactorProof = { totp: string } | { recovery_code: string };
export type RefreshVerdict = 'ok' | 'reuse' | 'invalid' | 'revoked' | 'limited';

export class AccountModel {
  /** Raised by whatever ends every session: a credential that was verified before is no longer accepted. */
  version = 0;
  readonly sessions: Session[] = [];
  readonly v1Tokens = new Set<V1Token>();
  v1LastUsed = Number.NEGATIVE_INFINITY;
  codes: Code[] = [];
  factor: Factor | null = null;
  enrolments = 0;
  removals = 0;

  /** A verified first step; null if the credential has changed since. */
  signIn(version: number, now: number): Session | 'ticket' | null {
    if (version !== this.version) return null;
    return this.factor ? 'ticket' : this.start(now);
  }

  /** Replaces an earlier one, whose guesses still count. v1 has no second step, so its tokens end. */
  enroll(factor: Pick<Factor, 'secret' | 'enrolledAt' | 'lastStep'>): Factor {
    const { guesses, usedTickets } = this.factor ?? { guesses: [], usedTickets: [] };
    this.factor = { ...factor, recoveryCodes: [], guesses, usedTickets };
    this.v1Tokens.clear();
    this.enrolments += 1;
    return this.factor;
  }

  /** By the user, which ends every ticket, or by the app's team, which ends every session. Returns false if there is none. */
  removeFactor(by: 'user' | 'team'): boolean {
    if (by === 'user') this.version += 1;
    if (!this.factor) return false;
    this.factor = null;
    this.removals += 1;
    if (by === 'team') this.endEverything('second_factor_removed');
    return true;
  }

  /** Counts a guess before it is judged. */
  countFactorGuess(ticket: Ticket, now: number): 'counted' | 'used-up' | 'limited' {
    const { factor } = this;
    if (!factor) return 'used-up';
    const recent = factor.guesses.filter(({ at }) => at > now - guessMilliseconds);
    const own = recent.filter((guess) => guess.ticket === ticket).length;
    if (own >= guessesPerTicket || factor.usedTickets.includes(ticket)) return 'used-up';
    if (recent.length >= guessesPerUser) return 'limited';
    factor.guesses = [...recent, { at: now, ticket }];
    return 'counted';
  }

  /** Uses a right proof up, and starts the session; `seen` is the factor that the guess was judged by. */
  completeFactor(
    ticket: Ticket,
    { seen, step, recoveryCode }: { seen: Factor; step: number | null; recoveryCode: string | null },
    now: number,
  ): Session | 'auth/invalid-token' | 'auth/invalid-code' {
    const { factor } = this;
    if (ticket.version !== this.version) return 'auth/invalid-token';
    if (factor?.enrolledAt !== seen.enrolledAt || factor.usedTickets.includes(ticket))
      return 'auth/invalid-code';
    const isRight = isRightProof(factor, { step, recoveryCode });
    if (!isRight) return 'auth/invalid-code';
    factor.lastStep = step ?? factor.lastStep;
    factor.recoveryCodes = factor.recoveryCodes.filter((code) => code !== recoveryCode);
    factor.guesses = factor.guesses.filter((guess) => guess.ticket !== ticket);
    factor.usedTickets.push(ticket);
    return this.start(now);
  }

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
    this.endEverything('sign_out_all');
  }

  private endEverything(reason: string): void {
    this.version += 1;
    for (const session of this.sessions) session.ended ??= reason;
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

/** `step` is that of the authenticator app's code, null if the code is of none that is near enough to now. */
export function isRightProof(
  { lastStep, recoveryCodes }: Factor,
  { step, recoveryCode }: { step: number | null; recoveryCode: string | null },
): boolean {
  if (recoveryCode !== null) return recoveryCodes.includes(recoveryCode);
  return step !== null && step > lastStep;
}

function isIdle(session: Session, now: number): boolean {
  return session.lastUsed <= now - idleMilliseconds;
}

function isLate(session: Session, generation: number, now: number): boolean {
  if (generation < session.late) return true;
  const spent = session.spends[generation];
  return spent !== undefined && spent < now - reuseMilliseconds;
}
