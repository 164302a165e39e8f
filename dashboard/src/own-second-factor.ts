// The second factor of team members: an authenticator app and recovery codes.
import { type SecondFactorProof, type SecondFactorRequest, secondFactor } from '@foyer/sdk';
import { problemOf } from './api-problem.ts';
import { client } from './client.ts';

export const ownSecondFactor = secondFactor(client);

/** A sign-in whose first step has succeeded. */
export type Ticket = SecondFactorRequest & { ticket: string };

/** The ticket of a refusal that asks for the second step of a sign-in; null for any other problem. */
export function ticketIn(error: unknown): Ticket | null {
  const { code, fields } = problemOf(error);
  const { ticket: [ticket] = [], factors = [] } = fields;
  return code === 'auth/second-factor-required' && ticket !== undefined ? { ticket, factors } : null;
}

/** Some members have a passkey as their only second factor. A reauthentication of the others names no factors. */
export function takesCode({ factors }: SecondFactorRequest): boolean {
  return factors.length === 0 || factors.includes('totp') || factors.includes('recovery_code');
}

/** A ticket is refused like a token once it has expired or too many codes were wrong. */
export function isTicketSpent(error: unknown): boolean {
  return problemOf(error).code === 'auth/invalid-token';
}

export const spentTicketText =
  'The second step took longer than 10 minutes, or too many codes were wrong. Sign in again.';

/** One input takes both: six digits are a code of the authenticator app, anything else a recovery code. */
export function proofOf(typed: string): SecondFactorProof {
  const code = typed.replaceAll(/\s/g, '');
  return /^\p{Nd}{6}$/u.test(code) ? { totp: code } : { recovery_code: typed };
}
