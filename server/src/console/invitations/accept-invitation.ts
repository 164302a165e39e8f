// Reads and accepts an invitation. The account, the membership, the session and the end of the invitation are one transaction:
// a crash leaves the invitation open, and after a lost answer the person signs in with the password that was just set.
import type { contract, InvitationDetails } from '@foyer/contract';
import { queryIn, type Tx } from '@foyer/prisma';
import type { z } from 'zod';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { sha256 } from '../../lib/crypto/digest.js';
import { retryConflicts } from '../../lib/retry.js';
import { timestamp } from '../../lib/timestamp.js';
import type { App } from '../../model/app.js';
import type { Client } from '../../model/session.js';
import { strongPassword } from '../../passwords/strong-password.js';
import { withVerifiedPassword } from '../../passwords/verify-password.js';
import { buildSession } from '../../sessions/new-session.js';
import { type SignedIn, startSession } from '../../sessions/start-session.js';
import { findAccountByEmail } from '../../users/account.js';
import { createUserWithSession } from '../../users/create-user.js';
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

export function acceptInvitation(
  deps: Deps,
  consoleApp: App,
  client: Client,
  acceptance: Acceptance,
): Promise<SignedIn> {
  // Null where an account of the email was created meanwhile.
  return retryConflicts('the account kept changing', async () => {
    const invitation = await findOpenInvitation(deps, acceptance.token);
    const email = emailOf(invitation, acceptance.email);
    const accepting = { app: consoleApp, client, invitation, email };
    const account = await findAccountByEmail(deps.query, consoleApp.id, email);
    return account
      ? acceptWithAccount(deps, accepting, acceptance.password)
      : acceptWithNewAccount(deps, accepting, acceptance);
  });
}

type Accepting = { app: App; client: Client; invitation: FoundInvitation; email: string };

/** The same answer for every token that cannot be accepted. */
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

function acceptWithAccount(
  deps: Deps,
  { app, client, invitation, email }: Accepting,
  password: string,
): Promise<SignedIn> {
  const { ipAddress, deviceToken } = client;
  return withVerifiedPassword(deps, app, ipAddress, { email, password, deviceToken }, (credential) =>
    deps.prisma.$transaction(async (tx) => {
      const session = buildSession(deps, app, client, credential.uid, 'password');
      const signedIn = await startSession(deps, app, session, credential, tx);
      if (signedIn) await join(tx, deps, app, invitation, credential.uid, ipAddress);
      return signedIn;
    }),
  );
}

/** Null if the email has an account by now. */
async function acceptWithNewAccount(
  deps: Deps,
  { app, client, invitation, email }: Accepting,
  { password: typed, first_name, last_name }: Acceptance,
): Promise<SignedIn | null> {
  const { ipAddress } = client;
  const password = await strongPassword(app, typed);
  const passwordHash = await deps.passwordHasher.hash(password, { appId: app.id, ipAddress });
  const user = {
    email,
    emailVerified: invitation.mailed,
    emailProven: invitation.mailed,
    firstName: first_name ?? null,
    lastName: last_name ?? null,
    passwordHash,
  };
  return deps.prisma.$transaction(async (tx) => {
    const signedIn = await createUserWithSession(queryIn(tx), deps, app, client, 'password', user);
    if (signedIn) await join(tx, deps, app, invitation, signedIn.answer.user.uid, ipAddress);
    return signedIn;
  });
}

/** Last in the transaction: whoever finds the invitation gone creates nothing. */
async function join(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  consoleApp: App,
  { appId, id, role }: FoundInvitation,
  uid: string,
  ipAddress: string | null,
): Promise<void> {
  await upsertMember(tx, { appId, uid, role, now: deps.clock.now() });
  if (!(await deleteInvitation(tx, { appId, id }))) throw new ApiError('console/invalid-invitation');
  // An owner who changed their email can accept a lower role, and could otherwise still make others join.
  if (role !== 'owner') await deleteInvitationsBy(tx, { appId, uid });
  const target = `member:${uid}`;
  const entry = { appId, actor: { name: target, ipAddress }, action: 'member.joined', target } as const;
  await writeTeamEntry(tx, deps, { consoleAppId: consoleApp.id, uid }, { ...entry, details: { role } });
}
