// The second factor in the fake service: tickets, and the authenticator app and recovery codes of a user. Its codes are not those
// of RFC 6238: `service.totp(email)` returns them.
import { sha256 } from '../features/sha256.js';
import type { Factors } from '../generated/models.js';
import type { Route } from '../generated/routes.js';
import {
  type Answer,
  data,
  type FakeSession,
  forAnyone,
  forUser,
  type Handlers,
  noContent,
  Refusal,
} from './fake-answer.js';
import type { FakeClock } from './fake-clock.js';
import { accept, code, optional, recoveryCode, text } from './fake-input.js';
import type { FakeFactorKind, FakeSessions } from './fake-sessions.js';
import type { FakeFactor, FakeUser, FakeUsers } from './fake-users.js';

/** A sign-in whose first step has succeeded. */
interface Ticket {
  user: FakeUser;
  /** The user has no factor yet, and enrols one. */
  enrolls: boolean;
  expiresAtMs: number;
  wrong: number;
  /** Of the enrolment that it opens. */
  secret: string;
  /** Starts the session, and returns the recovery codes of a new authenticator app. */
  complete(codes: { recovery_codes?: string[] }, factor: FakeFactorKind): Answer;
}

const ticketMs = 600_000;
const stepMs = 30_000;
const maxWrong = 5;
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const ofRecoveryCode = '0123456789abcdefghjkmnpqrstvwxyz';

const ticketInput = text(1_000);

export type FakeSecondFactor = ReturnType<typeof fakeSecondFactor>;

export function fakeSecondFactor(
  clock: FakeClock,
  {
    users,
    sessions,
    setting,
  }: { users: FakeUsers; sessions: FakeSessions; setting: { rule: Factors['rule'] } },
) {
  const tickets = new Map<string, Ticket>();
  /** The secrets that are not confirmed yet, by uid. */
  const begun = new Map<string, { secret: string; expiresAtMs: number }>();

  const stepNow = () => Math.floor(clock.now() / stepMs);
  const newSecret = () => letters(sha256(`secret ${clock.newId()}`), base32, 32);
  const enrollment = ({ user }: FakeUser, secret: string) => {
    const query = `issuer=Fake&secret=${secret}&algorithm=SHA1&digits=6&period=30`;
    return data({ secret, uri: `otpauth://totp/Fake:${encodeURIComponent(user.email)}?${query}` });
  };

  /** Refuses a first step of a user who needs a second one. */
  function require(user: FakeUser, complete: Ticket['complete']): void {
    if (setting.rule === 'off' || (!user.factor && setting.rule !== 'required')) return;
    const ticket = `sf_${clock.newId()}`;
    const factors = factorsOf(user);
    tickets.set(ticket, {
      user,
      enrolls: factors.includes('enroll'),
      complete,
      expiresAtMs: clock.now() + ticketMs,
      wrong: 0,
      secret: newSecret(),
    });
    throw new Refusal('auth/second-factor-required', { ticket: [ticket], factors });
  }

  function factorsOf({ factor, passkeys: own }: FakeUser): string[] {
    if (!factor) return own.length > 0 ? ['passkey'] : ['enroll'];
    return [
      'totp',
      ...(factor.recoveryCodes.length > 0 ? ['recovery_code'] : []),
      ...(own.length > 0 ? ['passkey'] : []),
    ];
  }

  function find(id: string): Ticket {
    const ticket = tickets.get(id);
    const isLive = ticket && ticket.expiresAtMs > clock.now() && ticket.wrong < maxWrong;
    if (!isLive) throw new Refusal('auth/invalid-token');
    return ticket;
  }

  /** The user may have enrolled a factor or added a passkey since the first step. */
  function findEnrolling(id: string): Ticket {
    const ticket = find(id);
    const { factor, passkeys: own } = ticket.user;
    if (!ticket.enrolls || factor || own.length > 0) throw new Refusal('auth/invalid-token');
    return ticket;
  }

  function requireCode(secret: string, guess: string, lastStep = 0): number {
    const step = [-1, 0, 1]
      .map((around) => stepNow() + around)
      .find((each) => codeOf(secret, each) === guess);
    if (step !== undefined && step > lastStep) return step;
    throw new Refusal('auth/invalid-code');
  }

  /** Checks a typed second factor, and uses it up. */
  function spend(
    { factor }: FakeUser,
    proof: { totp?: string | undefined; recovery_code?: string | undefined },
  ): void {
    if (!factor) throw new Refusal('auth/invalid-token');
    if (proof.totp !== undefined) factor.lastStep = requireCode(factor.secret, proof.totp, factor.lastStep);
    else {
      const rest = factor.recoveryCodes.filter((each) => each.replace('-', '') !== proof.recovery_code);
      if (rest.length === factor.recoveryCodes.length) throw new Refusal('auth/invalid-code');
      factor.recoveryCodes = rest;
    }
  }

  /** Refuses a reauthentication without the second factor; returns what checks it, uses it up, and says which it is. */
  function requireAgain(
    user: FakeUser,
    proof: { totp?: string | undefined; recovery_code?: string | undefined },
  ): () => FakeFactorKind | undefined {
    if (setting.rule === 'required' && !user.factor && user.passkeys.length > 0)
      throw new Refusal('auth/second-factor-required', { factors: ['passkey'] });
    if (setting.rule === 'off' || !user.factor) return () => undefined;
    if ((proof.totp ?? proof.recovery_code) === undefined) throw new Refusal('auth/second-factor-required');
    return () => {
      spend(user, proof);
      return kindOf(proof);
    };
  }

  const kindOf = (proof: { totp?: string | undefined }): FakeFactorKind =>
    proof.totp === undefined ? 'recovery_code' : 'totp';

  /** Counts a wrong proof. */
  function guess<T>(ticket: Ticket, judge: () => T): T {
    try {
      return judge();
    } catch (error) {
      ticket.wrong += 1;
      throw error;
    }
  }

  function complete(body: Record<string, unknown>): Answer {
    const { ticket: id, ...proof } = accept(body, {
      ticket: ticketInput,
      totp: optional(code),
      recovery_code: optional(recoveryCode),
    });
    if (Object.values(proof).filter((each) => each !== undefined).length !== 1) {
      throw new Refusal('request/validation-failed', {
        body: ['must have exactly one proof beside the ticket'],
      });
    }
    const ticket = find(id);
    if (ticket.enrolls) throw new Refusal('auth/invalid-token');
    guess(ticket, () => spend(ticket.user, proof));
    tickets.delete(id);
    return ticket.complete({}, kindOf(proof));
  }

  function enroll(user: FakeUser, secret: string, step: number): { recovery_codes: string[] } {
    const recoveryCodes = newRecoveryCodes();
    user.factor = { secret, recoveryCodes, enrolledAt: clock.timestamp(), lastStep: step };
    // v1 has no second step.
    users.deleteV1Tokens(user.user.uid);
    return { recovery_codes: recoveryCodes };
  }

  function newRecoveryCodes(): string[] {
    return Array.from({ length: 10 }, () => {
      const characters = letters(sha256(`code ${clock.newId()}`), ofRecoveryCode, 10);
      return `${characters.slice(0, 5)}-${characters.slice(5)}`;
    });
  }

  function ownFactor({ factor }: FakeUser): FakeFactor {
    if (factor) return factor;
    throw new Refusal('auth/second-factor-not-enrolled');
  }

  const ownerOf = ({ uid }: FakeSession) => users.byUid(uid);

  function requireAllowed(): void {
    if (setting.rule === 'off') throw new Refusal('auth/operation-not-allowed');
  }

  const handlers = {
    'POST /auth/second-factor': forAnyone(({ body }) => complete(body)),
    'POST /auth/second-factor/enroll': forAnyone(({ body }) => {
      const { user, secret } = findEnrolling(accept(body, { ticket: ticketInput }).ticket);
      return enrollment(user, secret);
    }),
    'POST /auth/second-factor/enroll/confirm': forAnyone(({ body }) => {
      const input = accept(body, { ticket: ticketInput, code });
      const ticket = findEnrolling(input.ticket);
      const step = requireCode(ticket.secret, input.code);
      tickets.delete(input.ticket);
      return ticket.complete(enroll(ticket.user, ticket.secret, step), 'totp');
    }),
    'GET /me/factors': forUser(({ session }) => {
      const { factor } = ownerOf(session);
      const totp = factor ? { enrolled_at: factor.enrolledAt } : null;
      return data({ rule: setting.rule, totp, recovery_codes_left: factor?.recoveryCodes.length ?? 0 });
    }),
    'POST /me/factors/totp': forUser(({ session }) => {
      sessions.requireRecent(session);
      requireAllowed();
      const secret = newSecret();
      begun.set(session.uid, { secret, expiresAtMs: clock.now() + ticketMs });
      return enrollment(ownerOf(session), secret);
    }),
    'POST /me/factors/totp/confirm': forUser(({ session, body }) => {
      const input = accept(body, { code });
      requireAllowed();
      const own = begun.get(session.uid);
      if (!own || own.expiresAtMs <= clock.now()) throw new Refusal('auth/code-expired');
      const step = requireCode(own.secret, input.code);
      begun.delete(session.uid);
      sessions.addFactor(session, 'totp');
      return data(enroll(ownerOf(session), own.secret, step));
    }),
    'POST /me/factors/recovery-codes': forUser(({ session }) => {
      sessions.requireRecent(session);
      const factor = ownFactor(ownerOf(session));
      factor.recoveryCodes = newRecoveryCodes();
      return data({ recovery_codes: factor.recoveryCodes });
    }),
    'DELETE /me/factors/totp': forUser(({ session }) => {
      sessions.requireRecent(session);
      const owner = ownerOf(session);
      ownFactor(owner);
      owner.factor = undefined;
      for (const [id, { user }] of tickets) if (user === owner) tickets.delete(id);
      return noContent;
    }),
  } satisfies Partial<Handlers<Route>>;

  return {
    handlers,
    setting,
    require,
    requireAgain,
    /** The present code of a user's authenticator app: of the enrolled one, or of one that is being enrolled. */
    codeFor({ user, factor }: FakeUser): string | undefined {
      const open = [...tickets.values()].filter((ticket) => ticket.user.user === user).at(-1);
      const secret = begun.get(user.uid)?.secret ?? factor?.secret ?? open?.secret;
      return secret && codeOf(secret, stepNow());
    },
  };
}

function codeOf(secret: string, step: number): string {
  return String(Number.parseInt(sha256(`${secret} ${step}`).slice(0, 8), 16) % 1_000_000).padStart(6, '0');
}

function letters(digest: string, alphabet: string, length: number): string {
  return Array.from(
    { length },
    (_, index) => alphabet[Number.parseInt(digest.slice(index, index + 2), 16) % 32],
  ).join('');
}
