// The second step of a sign-in, and the enrolment of the factors that it asks for.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { recoveryCodes, secondFactorGuesses, secondFactorSeconds } from '../limits.js';
import { meta } from '../metadata.js';
import { dataEnvelope } from '../schemas/envelopes.js';
import {
  EnrolledAnswer,
  Factors,
  RecoveryCodes,
  SecondFactorAnswer,
  secondStepInput,
  TicketInput,
  TotpEnrollment,
  TotpInput,
} from '../schemas/second-factor.js';

const c = initContract();

const withTicket = {
  auth: 'app-key',
  rateLimit: 'auth',
  answersHeaders: ['X-Device-Token'],
} as const;

const ofUser = { auth: 'signed-in', rateLimit: 'client' } as const;

export const secondFactor = c.router({
  complete: {
    method: 'POST',
    path: '/auth/second-factor',
    summary: 'Complete a sign-in with a second factor',
    description:
      'Starts the session that the first call did not start. Requires the ticket of its `auth/second-factor-required`, and ' +
      `exactly one proof. After ${secondFactorGuesses.perTicket} wrong proofs the ticket is used up (\`auth/invalid-token\`), ` +
      `after ${secondFactorGuesses.perUser} of a user within ${secondFactorGuesses.windowSeconds / 60} minutes all are refused ` +
      '(`request/rate-limited`). A code of the authenticator app works once. For `passkey` among the factors call ' +
      '`/auth/passkey/verify` instead: a passkey that verifies its user is both steps.',
    body: z
      .object({ ticket: TicketInput, ...secondStepInput })
      .refine(
        ({ ticket, ...proofs }) => Object.values(proofs).filter((proof) => proof !== undefined).length === 1,
        'must have exactly one proof beside the ticket',
      )
      .meta({ example: { ticket: 'sf_AQ…', totp: '402718' } }),
    responses: { 200: dataEnvelope(SecondFactorAnswer) },
    metadata: meta({
      ...withTicket,
      errors: ['auth/invalid-code', 'auth/invalid-token', 'auth/user-disabled'],
    }),
  },
  enroll: {
    method: 'POST',
    path: '/auth/second-factor/enroll',
    summary: 'Begin the enrolment that a sign-in requires',
    description:
      'For a ticket whose `factors` are `["enroll"]`: the app requires a second factor, and the user has none. The same ' +
      'ticket always returns the same secret.',
    body: z.object({ ticket: TicketInput }),
    responses: { 200: dataEnvelope(TotpEnrollment) },
    metadata: meta({ auth: 'app-key', rateLimit: 'auth', errors: ['auth/invalid-token'] }),
  },
  confirmEnrollment: {
    method: 'POST',
    path: '/auth/second-factor/enroll/confirm',
    summary: 'Enroll the authenticator app and complete the sign-in',
    description: 'Verifies a code of the authenticator app, enrolls it, and starts the session.',
    body: z.object({ ticket: TicketInput, code: TotpInput }),
    responses: { 200: dataEnvelope(EnrolledAnswer) },
    metadata: meta({
      ...withTicket,
      errors: ['auth/invalid-code', 'auth/invalid-token', 'auth/user-disabled'],
    }),
  },
  get: {
    method: 'GET',
    path: '/me/factors',
    summary: 'Read the second factors of the signed-in user',
    description: 'Neither the secret nor the recovery codes are returned.',
    responses: { 200: dataEnvelope(Factors) },
    metadata: meta({ ...ofUser, errors: [] }),
  },
  beginTotp: {
    method: 'POST',
    path: '/me/factors/totp',
    summary: 'Begin the enrolment of an authenticator app',
    description:
      `Confirm it within ${secondFactorSeconds / 60} minutes with \`/me/factors/totp/confirm\`; until then nothing changes. ` +
      'An enrolled user replaces the authenticator app in the same way.',
    body: c.noBody(),
    responses: { 200: dataEnvelope(TotpEnrollment) },
    metadata: meta({ ...ofUser, recentSignIn: true, errors: ['auth/operation-not-allowed'] }),
  },
  confirmTotp: {
    method: 'POST',
    path: '/me/factors/totp/confirm',
    summary: 'Enroll the authenticator app',
    description:
      'From now on every sign-in needs the second factor. Other sessions continue; tokens of v1 end, because v1 has no second ' +
      'step. A notice is mailed to the user. `auth/code-expired` if the enrolment was not begun or is too old.',
    body: z.object({ code: TotpInput }),
    responses: { 200: dataEnvelope(RecoveryCodes) },
    metadata: meta({
      ...ofUser,
      rateLimit: 'auth',
      errors: ['auth/invalid-code', 'auth/code-expired', 'auth/operation-not-allowed'],
    }),
  },
  newRecoveryCodes: {
    method: 'POST',
    path: '/me/factors/recovery-codes',
    summary: 'Replace the recovery codes',
    description: `Returns ${recoveryCodes} new codes; the earlier ones no longer work.`,
    body: c.noBody(),
    responses: { 200: dataEnvelope(RecoveryCodes) },
    metadata: meta({
      ...ofUser,
      alsoLimitedBy: ['profile-change'],
      recentSignIn: true,
      errors: ['auth/second-factor-not-enrolled'],
    }),
  },
  removeTotp: {
    method: 'DELETE',
    path: '/me/factors/totp',
    summary: 'Remove the authenticator app and the recovery codes',
    description:
      'A notice is mailed to the user. Where the app requires a second factor, the next sign-in asks for a new one.',
    body: c.noBody(),
    responses: { 204: c.noBody() },
    metadata: meta({ ...ofUser, recentSignIn: true, errors: ['auth/second-factor-not-enrolled'] }),
  },
});
