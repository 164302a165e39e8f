// The users of the fake service, and the codes that it mails to them.
import type { Identity, LoyaltyEntry, Passkey, User } from '../generated/models.js';
import { Refusal } from './fake-answer.js';
import type { FakeClock } from './fake-clock.js';
import { profileFields } from './fake-input.js';
import type { NewUser } from './fake-service-types.js';

export interface FakePasskey extends Passkey {
  credentialId: string;
}

/** The authenticator app of a user. */
export interface FakeFactor {
  secret: string;
  recoveryCodes: string[];
  enrolledAt: string;
  /** The step of the last accepted code, which must rise. */
  lastStep: number;
}

export interface FakeUser {
  user: User;
  password: string | undefined;
  /** A code was used that was emailed to the email: by a password reset, which does not verify it, or another use. */
  emailProven: boolean;
  claims: Record<string, unknown>;
  disabled: boolean;
  /** By provider. */
  identities: Map<string, Identity & { subject: string }>;
  /** Oldest first. */
  passkeys: FakePasskey[];
  /** The authenticator app with which the user signs in in two steps. */
  factor: FakeFactor | undefined;
  /** The ledger, oldest entry first. */
  entries: LoyaltyEntry[];
}

export type CodePurpose = 'sign_in' | 'password_reset' | 'verification' | 'email_change';

interface EmailedCode {
  purpose: CodePurpose;
  /** The email, or the uid of a signed-in user who asked for the code. */
  subject: string;
  to: string;
  code: string;
  flow: string;
  sentAtMs: number;
  attempts: number;
}

type Profile = Pick<User, keyof typeof profileFields>;

function profileOf(given: NewUser): Profile {
  const names = Object.keys(profileFields) as (keyof Profile)[];
  return Object.fromEntries(names.map((name) => [name, given[name] ?? null])) as Profile;
}

const codeMs = 600_000;
const maxAttempts = 5;

export function emailInUse(): Refusal {
  return new Refusal('auth/email-already-in-use', { email: ['already has an account'] });
}

export type FakeUsers = ReturnType<typeof fakeUsers>;

export function fakeUsers(clock: FakeClock, nextCode: () => string) {
  const users = new Map<string, FakeUser>();
  /** The uids of the valid v1 tokens. */
  const v1Tokens = new Map<string, string>();
  let codes: EmailedCode[] = [];

  const byEmail = (email: string) => [...users.values()].find(({ user }) => user.email === email);

  function add({ password, claims = {}, ...given }: NewUser): FakeUser {
    if (byEmail(given.email)) throw emailInUse();
    const user: User = {
      uid: clock.newId(),
      email: given.email,
      email_verified: given.email_verified ?? false,
      ...profileOf(given),
      created_at: clock.timestamp(),
    };
    const added = {
      ...{ user, password: password?.normalize('NFKC'), claims, emailProven: user.email_verified },
      ...{ disabled: false, identities: new Map(), passkeys: [], factor: undefined, entries: [] },
    };
    users.set(user.uid, added);
    return added;
  }

  /** Returns the flow, which binds the code to the client that asked for it: the one of its earlier request, if it has one. */
  function mail(
    purpose: CodePurpose,
    subject: string,
    to: string,
    { flow = `fl_${clock.newId()}`, isDecoy = false }: { flow?: string | undefined; isDecoy?: boolean } = {},
  ): string {
    const code = nextCode();
    if (!isDecoy) codes.push({ purpose, subject, to, code, flow, sentAtMs: clock.now(), attempts: 0 });
    return flow;
  }

  /** The newest code of the flow, or the newest of all if the flow identifies none. */
  function find(purpose: CodePurpose, subject: string, flow: string | undefined): EmailedCode | undefined {
    const ofSubject = codes.filter((mailed) => mailed.purpose === purpose && mailed.subject === subject);
    return ofSubject.filter((mailed) => mailed.flow === flow).at(-1) ?? ofSubject.at(-1);
  }

  const isExpired = ({ sentAtMs }: EmailedCode) => clock.now() - sentAtMs > codeMs;
  const isLive = (mailed: EmailedCode) => mailed.attempts < maxAttempts && !isExpired(mailed);

  /** Checks a guess. `spend` deletes all codes of the purpose and subject: call it when the operation succeeds. */
  function verify(purpose: CodePurpose, subject: string, guess: string, flow: string | undefined) {
    const mailed = find(purpose, subject, flow);
    if (!mailed || mailed.attempts >= maxAttempts) throw new Refusal('auth/invalid-code');
    mailed.attempts += 1;
    if (isExpired(mailed)) throw new Refusal('auth/code-expired');
    if (mailed.code !== guess) throw new Refusal('auth/invalid-code');
    mailed.attempts -= 1;
    return { to: mailed.to, spend: () => deleteCodes([subject], purpose) };
  }

  function deleteCodes(subjects: (string | undefined)[], purpose?: CodePurpose): void {
    codes = codes.filter((mailed) => {
      const isOfPurpose = purpose === undefined || mailed.purpose === purpose;
      return !(isOfPurpose && subjects.includes(mailed.subject));
    });
  }

  /** A live change of email comes before a live verification; if neither is live, the code sent last. */
  function purposeToConfirm(uid: string, flow: string | undefined): 'email_change' | 'verification' {
    const change = find('email_change', uid, flow);
    const verification = find('verification', uid, flow);
    if (!change) return 'verification';
    if (isLive(change) || !verification) return 'email_change';
    return isLive(verification) || verification.sentAtMs > change.sentAtMs ? 'verification' : 'email_change';
  }

  return {
    byEmail,
    byUid: (uid: string) => users.get(uid)!,
    all: () => [...users.values()],
    add,
    /** Removes the user, and the codes emailed to the account. */
    remove(uid: string): void {
      const email = users.get(uid)?.user.email;
      users.delete(uid);
      deleteCodes([uid, email]);
    },
    mail,
    verify,
    deleteCodes,
    v1Tokens,
    deleteV1Tokens(uid: string): void {
      for (const [token, owner] of v1Tokens) if (owner === uid) v1Tokens.delete(token);
    },
    purposeToConfirm,
    /** The newest unspent code emailed to an email. */
    codeFor: (email: string) => codes.filter(({ to }) => to === email).at(-1)?.code,
  };
}
