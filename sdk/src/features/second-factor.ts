// `secondFactor(client)`: the second step of a sign-in, and the authenticator app and recovery codes of the signed-in user.
import type { CallOptions, Client, RepeatableCallOptions, Session } from '../api.js';
import { type FoyerError, isFoyerError } from '../errors.js';
import type {
  EnrolledAnswer,
  Factors,
  RecoveryCodes,
  SecondFactorAnswer,
  TotpEnrollment,
} from '../generated/models.js';
import { send } from '../http/send.js';
import type { SecondStep } from '../models.js';
import { call } from '../session/call.js';
import { coreOf } from '../session/core.js';
import type { Maybe } from '../session/storage.js';
import { signIn } from './sign-in.js';

/** What an `auth/second-factor-required` asks for. */
export interface SecondFactorRequest {
  /** Completes the sign-in, within 10 minutes. `null` for a reauthentication, which is repeated with the second factor. */
  readonly ticket: string | null;
  /** What the user can give. `enroll`: the app requires a second factor, and the user has none yet. */
  readonly factors: readonly ('totp' | 'recovery_code' | 'passkey' | 'enroll' | (string & {}))[];
}

/**
 * A second factor: a code of the authenticator app, or a recovery code. For `passkey`, call `signIn` of `passkeys` instead, or
 * reauthenticate with its `proof`.
 */
export type SecondFactorProof = { totp: string } | { recovery_code: string };

/** The session after a second step. */
export interface SecondFactorSession extends Session {
  /** True when the first step created the account; present where the first step returns it. */
  readonly is_new_user?: boolean | undefined;
}

/** The session after the enrolment that a sign-in required. */
export interface EnrolledSession extends SecondFactorSession {
  /** Show them once: they replace a lost authenticator app. */
  readonly recovery_codes: readonly string[];
}

export interface SecondFactor {
  /**
   * Completes a sign-in. Rejects with `auth/invalid-code` for a wrong factor, and with `auth/invalid-token` for a ticket that is
   * used up or older than 10 minutes: the user starts again.
   */
  complete(
    proof: { ticket: string } & SecondFactorProof,
    options?: CallOptions,
  ): Promise<SecondFactorSession>;
  /** For a ticket whose factors are `enroll`: the secret of the authenticator app, and its URI for a QR code. */
  enroll(ticket: string, options?: CallOptions): Promise<TotpEnrollment>;
  /** Completes the sign-in with the first code of the authenticator app. */
  confirmEnrollment(
    confirmation: { ticket: string; code: string },
    options?: CallOptions,
  ): Promise<EnrolledSession>;
  /** What the signed-in user has, and the rule of the app. */
  get(options?: RepeatableCallOptions): Promise<Factors>;
  /** Begins the enrolment of an authenticator app, or its replacement. Requires a recent sign-in. */
  beginTotp(options?: CallOptions): Promise<TotpEnrollment>;
  /** Enrolls the authenticator app with its first code. Show the recovery codes once. */
  confirmTotp(code: string, options?: CallOptions): Promise<RecoveryCodes>;
  /** Replaces the recovery codes. Requires a recent sign-in. */
  newRecoveryCodes(options?: CallOptions): Promise<RecoveryCodes>;
  /** Removes the authenticator app and the recovery codes. Requires a recent sign-in. */
  removeTotp(options?: RepeatableCallOptions): Promise<void>;
}

/**
 * Returns the second-factor methods of a client. Throws `client/invalid-argument` when `client` was not created by
 * `createClient`.
 *
 * @example
 * const { secret, uri } = await secondFactor(client).beginTotp(); // show `uri` as a QR code
 * const { recovery_codes } = await secondFactor(client).confirmTotp(code);
 */
export function secondFactor(client: Client): SecondFactor {
  const core = coreOf(client);
  return {
    async complete(proof, options) {
      const { user, is_new_user } = await signIn<SecondFactorAnswer>(
        core,
        'POST /auth/second-factor',
        proof,
        options,
      );
      return { user, ...(is_new_user !== undefined && { is_new_user }) };
    },
    enroll: (ticket, options) =>
      send<TotpEnrollment>(core, 'POST /auth/second-factor/enroll', { body: { ticket } }, options),
    async confirmEnrollment(confirmation, options) {
      const { user, is_new_user, recovery_codes } = await signIn<EnrolledAnswer>(
        core,
        'POST /auth/second-factor/enroll/confirm',
        confirmation,
        options,
      );
      return { user, ...(is_new_user !== undefined && { is_new_user }), recovery_codes };
    },
    get: (options) => call<Factors>(core, 'GET /me/factors', {}, options),
    beginTotp: (options) => call<TotpEnrollment>(core, 'POST /me/factors/totp', {}, options),
    confirmTotp: (code, options) =>
      call<RecoveryCodes>(core, 'POST /me/factors/totp/confirm', { body: { code } }, options),
    newRecoveryCodes: (options) => call<RecoveryCodes>(core, 'POST /me/factors/recovery-codes', {}, options),
    removeTotp: (options) => call<void>(core, 'DELETE /me/factors/totp', {}, options),
  };
}

/**
 * Returns the second-factor request in an error, or null.
 *
 * @example
 * const request = secondFactorOf(error);
 * if (request?.ticket) sessionStorage.setItem('ticket', request.ticket); // survives a reload
 */
export function secondFactorOf(error: unknown): SecondFactorRequest | null {
  if (!isFoyerError(error, 'auth/second-factor-required')) return null;
  const { ticket: [ticket = null] = [], factors = [] } = error.fields;
  return { ticket, factors };
}

/**
 * Runs a sign-in, asks for the second factor if it needs one, and completes it; after a wrong one it asks again, with the error.
 * When `ask` returns `null`, the original error is thrown. A reauthentication has no ticket: `work` runs again, with the second
 * factor.
 *
 * @example
 * const ask = async () => ({ totp: await askForCode() });
 * await withSecondFactor(client, () => client.auth.signIn({ email, password }), ask);
 * await withSecondFactor(client, (step) => client.auth.reauthenticate({ password, ...step }), ask);
 */
export async function withSecondFactor<T>(
  client: Client,
  work: (step?: SecondStep) => Promise<T>,
  ask: (request: SecondFactorRequest, wrong?: FoyerError) => Maybe<SecondFactorProof | null>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const request = secondFactorOf(error);
    let wrong: FoyerError | undefined;
    for (;;) {
      const proof = request && (await ask(request, wrong));
      if (!proof) throw error;
      const { ticket } = request;
      try {
        if (!ticket) return await work(proof);
        return (await secondFactor(client).complete({ ticket, ...proof })) as T;
      } catch (failure) {
        if (!isFoyerError(failure, 'auth/invalid-code')) throw failure;
        wrong = failure;
      }
    }
  }
}
