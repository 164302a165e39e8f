// Reads and accepts an invitation. The account, the membership, the session and the end of the invitation are one transaction:
// a crash leaves the invitation open, and after a lost answer the person signs in with the password that was just set.
import type { contract, InvitationDetails } from '@foyer/contract';
import { queryIn, type Tx } from '@foyer/prisma';
import type { z } from 'zod';
import { findAccountByEmail } from '../../accounts/account.js';
import { changeInTurn, turnOf } from '../../change.js';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { sha256 } from '../../lib/crypto/digest.js';
import { retryConflicts } from '../../lib/retry.js';
import { timestamp } from '../../lib/timestamp.js';
import type { App } from '../../model/app.js';
import type { Call } from '../../model/call.js';
import { strongPassword } from '../../passwords/strong-password.js';
import { withVerifiedPassword } from '../../passwords/verify-password.js';
import { finishSignIn } from '../../second-factor/finish-sign-in.js';
import { type FirstStep, type SignedIn, startSession } from '../../sessions/start-session.js';
import { createUserWithSession } from '../../sign-up/create-user.js';
import { upsertMember } from '../store.js';
import { writeTeamEntry } from '../team-entry.js';
import {
  deleteInvitation,
  deleteInvitationsBy,
  type FoundInvitation,
  findInvitationByToken,
} from './store.js';

type Acceptance = z.infer<typeof contract.invitations.accept.body>;

export async function readInvitation(
  deps: Pick<Deps, 'query' | 'clock'>,
  consoleApp: App,
  token: string,
): Promise<InvitationDetails> {
  const invitation = await findOpenInvitation(deps, token);
  const { email, appId, appName, role, expiresAt } = invitation;
  const account = email === null ? null : await findAccountByEmail(deps.query, consoleApp.id, email);
  return {
    email,
    app_name: appId === consoleApp.id ? null : appName,
    role,
    has_account: account !== null,
    expires_at: timestamp(expiresAt),
  };
}

export async function acceptInvitation(deps: Deps, call: Call, acceptance: Acceptance): Promise<SignedIn> {
  // Null where an account of the email was created meanwhile.
  const started = await retryConflicts('the account kept changing', async () => {
    const invitation = await findOpenInvitation(deps, acceptance.token);
    const email = emailOf(invitation, acceptance.email);
    const account = await findAccountByEmail(deps.query, call.app.id, email);
    const accept = account ? acceptWithAccount : acceptWithNewAccount;
    return accept(deps, call, { invitation, ...acceptance, email });
  });
  return finishSignIn(deps, call.app, started);
}

type Accepting = Acceptance & { invitation: FoundInvitation; email: string };

/** Finds the invitation of a token. The refusal is the same for every token that cannot be accepted. */
async function findOpenInvitation(
  deps: Pick<Deps, 'query' | 'clock'>,
  token: string,
): Promise<FoundInvitation> {
  const invitation = await findInvitationByToken(deps.query, sha256(token));
  if (!invitation || invitation.expiresAt <= deps.clock.now()) {
    throw new ApiError('console/invalid-invitation');
  }
  return invitation;
}

/** A link for an owner of the service names no email: the person who opens it chooses one. */
function emailOf({ email }: FoundInvitation, given: string | undefined): string {
  if (email !== null && given === undefined) return email;
  if (email === null && given !== undefined) return given;
  const sentence = email === null ? 'is required for this link' : 'is not allowed: the link names the email';
  throw new ApiError('request/validation-failed', { fields: { email: [sentence] } });
}

function acceptWithAccount(deps: Deps, call: Call, { invitation, ...input }: Accepting): Promise<FirstStep> {
  return withVerifiedPassword(deps, call, input, (credential) => {
    const { uid } = credential;
    const accept = async (tx: Tx) => {
      const started = await startSession(deps, call, { method: 'password', credential }, tx);
      if (started) await join(tx, deps, call, { invitation, uid });
      return started;
    };
    return changeInTurn(deps, call, accept, turnOf(uid));
  });
}

/** Returns null if the email has an account by now. */
async function acceptWithNewAccount(
  deps: Deps,
  call: Call,
  { invitation, email, password: typed, first_name, last_name }: Accepting,
): Promise<FirstStep | null> {
  const { app, ip } = call;
  const password = await strongPassword(app, typed);
  const passwordHash = await deps.passwordHasher.hash(password, { appId: app.id, ip });
  const user = {
    email,
    emailVerified: invitation.mailed,
    emailProven: invitation.mailed,
    firstName: first_name ?? null,
    lastName: last_name ?? null,
    passwordHash,
  };
  return changeInTurn(deps, call, async (tx) => {
    const started = await createUserWithSession(queryIn(tx), deps, call, { method: 'password', user });
    if (started) await join(tx, deps, call, { invitation, uid: started.uid });
    return started;
  });
}

/** This runs last in the transaction: a call that finds the invitation deleted creates nothing. */
async function join(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  { app, ip }: Pick<Call, 'app' | 'ip'>,
  { invitation, uid }: { invitation: FoundInvitation; uid: string },
): Promise<void> {
  const { appId, id, role } = invitation;
  await upsertMember(tx, { appId, uid, role, now: deps.clock.now() });
  if (!(await deleteInvitation(tx, { appId, id }))) throw new ApiError('console/invalid-invitation');
  // An owner who changed their email can accept a lower role, and could otherwise still make others join.
  if (role !== 'owner') await deleteInvitationsBy(tx, { appId, uid });
  const target = `member:${uid}`;
  const entry = { appId, actor: { name: target, ip }, action: 'member.joined', target } as const;
  await writeTeamEntry(tx, deps, { consoleAppId: app.id, uid }, { ...entry, details: { role } });
}
