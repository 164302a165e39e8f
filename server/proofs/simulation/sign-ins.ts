// The sign-ins of a schedule: the first step, and for a user with a second factor the ticket and the second. The codes are
// those of another library than the service's.
import { generateSync } from 'otplib';
import { lockUser } from '../../src/accounts/account.js';
import { raiseCredentialVersion } from '../../src/accounts/write-user.js';
import { change } from '../../src/change.js';
import type { Deps } from '../../src/deps.js';
import type { ApiError } from '../../src/lib/api-error.js';
import { completeSignIn } from '../../src/second-factor/complete-sign-in.js';
import { enrollFactor } from '../../src/second-factor/enroll-factor.js';
import { finishSignIn } from '../../src/second-factor/finish-sign-in.js';
import { removeFactor, removeFactorOf } from '../../src/second-factor/remove-factor.js';
import { enrollmentOf, newSecret } from '../../src/second-factor/totp.js';
import { type SignedIn, startSession } from '../../src/sessions/start-session.js';
import type { Chance } from '../../test/bad-values.js';
import { callIn } from '../../test/call-in.js';
import type { AccountModel, Factor, FactorProof, Session, Ticket } from './model.js';
import type { Account } from './schedule.js';
import type { Operation } from './schedule-values.js';

type World = {
  account: Account;
  model: AccountModel;
  chance: Chance;
  random: Deps['random'];
  clock: { time: number };
  run<T>(
    name: string,
    work: (deps: Deps) => Promise<T>,
    took: Operation['took'],
    expected: () => string,
    settled?: (value: T) => void,
    refused?: (error: ApiError) => void,
  ): void;
  issued(session: Session, answer: SignedIn['answer']): void;
};

const stepMilliseconds = 30_000;
const ticketMilliseconds = 600_000;
const secondStep = 'auth/second-factor-required';

export class SignIns {
  /** Half of the schedules have users with a second factor. */
  readonly usesFactor: boolean;
  /** Few have wrong codes only, which reach the limits of guesses. */
  readonly guesses: boolean;
  private readonly tickets: Ticket[] = [];
  private latestProof: FactorProof | null = null;

  constructor(private readonly world: World) {
    this.usesFactor = world.chance.oneIn(2);
    this.guesses = this.usesFactor && world.chance.oneIn(20);
  }

  signIn(): void {
    const { account, model, run, issued } = this.world;
    const { app, uid } = account;
    const { version } = model;
    const credential = { uid, credentialVersion: version, newPasswordHash: null };
    let outcome: Session | 'ticket' | null = null;
    run(
      'sign-in',
      async (deps) => {
        const step = await startSession(deps, callIn(app), { method: 'password', credential });
        return step && finishSignIn(deps, app, step);
      },
      (at, place) => {
        // Another statement reads what the ticket offers.
        if (place === 0) outcome = model.signIn(version, at);
      },
      () => (outcome === 'ticket' ? secondStep : outcome ? 'ok' : 'null'),
      (signedIn) => signedIn && issued(outcome as Session, signedIn.answer),
      (error) => this.received(error, version),
    );
  }

  useFactor(): void {
    const { chance, model } = this.world;
    const kind = chance.number(this.guesses ? 40 : 12);
    if (!model.factor || kind === 0) this.enroll();
    else if (kind === 1) this.remove();
    else if (kind < 5 || this.tickets.length === 0) this.signIn();
    else this.complete();
  }

  private received({ code, fields }: ApiError, version: number): void {
    const [text] = code === secondStep ? (fields.ticket ?? []) : [];
    if (text !== undefined)
      this.tickets.push({ text, version, expires: this.world.clock.time + ticketMilliseconds });
  }

  private enroll(): void {
    const { account, model, random, clock, run } = this.world;
    const { app, uid, email } = account;
    const ids = { appId: app.id, uid };
    const bytes = newSecret(random);
    const { secret } = enrollmentOf(bytes, { app: app.name, email });
    const step = Math.floor(clock.time / stepMilliseconds);
    let factor: Factor;
    run(
      'enrolment',
      (deps) =>
        change(deps, callIn(app), async (tx, record) => {
          await lockUser(tx, ids);
          const enrollment = { account: { ...ids, email }, secret: bytes, step, replaced: false };
          return enrollFactor(tx, deps, { app, ip: null, record }, enrollment);
        }),
      (at) => {
        factor = model.enroll({ secret, enrolledAt: at, lastStep: step });
      },
      () => 'ok',
      (codes) => {
        factor.recoveryCodes = codes.map((code) => code.replace('-', ''));
      },
    );
  }

  private remove(): void {
    const { account, chance, model, run } = this.world;
    const { app, uid } = account;
    const call = callIn(app);
    const by = chance.pick(['user', 'team'] as const);
    let removed = false;
    run(
      `removal of the factor by the ${by}`,
      (deps) =>
        by === 'team'
          ? removeFactorOf(deps, call, uid)
          : change(deps, call, async (tx) => {
              const locked = await lockUser(tx, { appId: app.id, uid });
              if (!locked) return;
              await raiseCredentialVersion(tx, locked, deps.clock.now());
              await removeFactor(tx, deps, locked, 'self');
            }),
      () => {
        removed = model.removeFactor(by);
      },
      () => (removed || by === 'user' ? 'ok' : 'auth/second-factor-not-enrolled'),
    );
  }

  /** Reads the account, counts the guess, and uses the proof up together with the start of the session. */
  private complete(): void {
    const { account, chance, clock, model, run, issued } = this.world;
    const ticket = chance.pick(chance.oneIn(2) ? this.tickets.slice(-1) : this.tickets);
    const proof = this.latestProof && chance.oneIn(5) ? this.latestProof : this.proof();
    this.latestProof = proof;
    let expected = 'auth/invalid-token';
    let session: Session | null = null;
    let seen: Factor | null = null;
    const isLate = ticket.expires <= clock.time;
    run(
      `second step with ${JSON.stringify(proof)}`,
      (deps) => completeSignIn(deps, callIn(account.app), { ticket: ticket.text, ...proof }),
      (at, place) => {
        if (isLate) return;
        if (place === 1) {
          seen = model.factor && { ...model.factor };
          const verdict = model.countFactorGuess(ticket, at);
          if (verdict === 'limited') expected = 'request/rate-limited';
          if (verdict === 'counted') expected = 'auth/invalid-code';
        }
        if (place !== 2 || !seen) return;
        const outcome = model.completeFactor(ticket, { seen, ...judged(seen, proof, at) }, at);
        if (typeof outcome === 'string') expected = outcome;
        else [session, expected] = [outcome, 'ok'];
      },
      () => expected,
      ({ answer }) => session && issued(session, answer),
    );
  }

  private proof(): FactorProof {
    const { chance, clock, model } = this.world;
    const { factor } = model;
    if (!factor || this.guesses || chance.oneIn(5))
      return { totp: String(chance.number(1_000_000)).padStart(6, '0') };
    if (chance.oneIn(4)) {
      const wrong = '0123456789';
      return { recovery_code: chance.oneIn(3) ? wrong : chance.pick([...factor.recoveryCodes, wrong]) };
    }
    const steps = chance.pick([0, 0, 0, 1, -1, 2, -2]);
    return { totp: codeAt(factor.secret, Math.floor(clock.time / stepMilliseconds) + steps) };
  }
}

function codeAt(secret: string, step: number): string {
  return generateSync({ secret, epoch: (step * stepMilliseconds) / 1_000 });
}

function judged(factor: Factor, proof: FactorProof, now: number) {
  if ('recovery_code' in proof) return { step: null, recoveryCode: proof.recovery_code };
  const present = Math.floor(now / stepMilliseconds);
  const step = [0, -1, 1]
    .map((by) => present + by)
    .find((each) => codeAt(factor.secret, each) === proof.totp);
  return { step: step ?? null, recoveryCode: null };
}
