// POST /auth/reauthenticate: verifies a credential of the signed-in user again and renews the sign-in time.
import type { contract, PasskeyAssertion } from '@foyer/contract';
import { queryIn, type Tx } from '@foyer/prisma';
import type { z } from 'zod';
import { findAccountById } from '../accounts/account.js';
import { recordFailures, recordRefused } from '../audit/record-failure.js';
import { type ChangeRecord, changeInTurn } from '../change.js';
import { withVerifiedCode } from '../codes/verify-code.js';
import type { Deps } from '../deps.js';
import { type ProviderProof, proofOf, proofOfProvider } from '../identities/proof.js';
import { methodOf as methodOfProvider, requireKnownProvider } from '../identities/provider.js';
import { proofOfCode } from '../identities/redirect-code.js';
import { spendProof } from '../identities/spend-proof.js';
import { requireIdentity } from '../identities/verify-provider-account.js';
import { ApiError } from '../lib/api-error.js';
import { secondFactorRule } from '../model/app.js';
import type { UserCall } from '../model/call.js';
import type { SessionMethod } from '../model/session.js';
import { recordPasskeyRefusals } from '../passkeys/refused-passkey.js';
import { usePasskey } from '../passkeys/store.js';
import { refusingReplay, verifyAssertion } from '../passkeys/verify-assertion.js';
import { requirePassword } from '../passwords/verify-password.js';
import { hasPasskeyBeside } from '../second-factor/finish-sign-in.js';
import {
  type FactorProof,
  factorOf,
  type VerifiedFactor,
  verifyFactor,
} from '../second-factor/verify-factor.js';
import { hasVerifiedEmail } from '../sessions/known-client.js';
import { renewSignIn } from '../sessions/renew-sign-in.js';
import { knownDevice } from '../tokens/device-token.js';
import type { AccessTokenAnswer } from '../tokens/token-answer.js';

/** One of password, code, a provider and a passkey; and for a user with a second factor a proof of it. */
type Reauthentication = FactorProof & {
  password?: string | undefined;
  code?: string | undefined;
  provider_a?: Parameters<typeof proofOf>[0] | undefined;
  provider_b?: Parameters<typeof proofOf>[0] | undefined;
  provider?: z.infer<typeof contract.signIn.reauthenticate.body>['provider'];
  passkey?: PasskeyAssertion | undefined;
};

export async function reauthenticate(
  deps: Deps,
  call: UserCall,
  input: Reauthentication,
): Promise<AccessTokenAnswer> {
  const { app, uid, session } = call;
  const method = methodOf(input);
  const account = await findAccountById(deps.query, app.id, uid);
  const guesser = knownDevice(deps, app.id, account, call.deviceToken) ?? { uid };
  const failure = { action: 'user.reauthentication_failed', method, uid } as const;
  const hasProof = input.totp !== undefined || input.recovery_code !== undefined;
  const needsFactor = account?.secondFactor === true && secondFactorRule(app) !== 'off';
  if (input.passkey === undefined) {
    // A passkey that verified its user is both steps, which its signature shows.
    if (needsFactor && !hasProof) throw new ApiError('auth/second-factor-required');
    if (account?.secondFactor === false) await requirePasskeyOfOnlyFactor(deps, call, method);
  }
  // The second factor is checked after the first credential; otherwise a stolen session could exhaust the user's attempts.
  const verifySecond = () => (needsFactor ? verifySecondFactor(deps, call, input) : null);
  const verifySecondOrRefuse = () => {
    if (needsFactor && !hasProof) throw new ApiError('auth/second-factor-required');
    return verifySecond();
  };
  const renew = async (tx: Tx, record: ChangeRecord, second: VerifiedFactor | null, amr?: string[]) => {
    const signIn = { method, amr, secondFactor: second?.factor };
    const renewed = await renewSignIn(queryIn(tx), deps, call, signIn);
    await second?.spend(tx, record, session.email);
    return renewed;
  };
  const { password, code, passkey } = input;
  if (code !== undefined) {
    const { email } = session;
    const by = { email, uid, known: guesser, isVerified: hasVerifiedEmail(account), isSignedIn: true };
    const proof = { purpose: 'sign_in', subject: email, code, by, failure } as const;
    return withVerifiedCode(deps, call, proof, async (proven) => {
      const second = await verifySecond();
      return changeInTurn(deps, call, async (tx, record) => {
        // Locks the session before the code, as everywhere: two orders would deadlock.
        const renewed = await renew(tx, record, second);
        await proven.spend(tx);
        return renewed;
      });
    });
  }
  if (passkey !== undefined) {
    return recordFailures(deps, call, failure, () =>
      renewByPasskey(deps, call, { passkey, guesser, verifySecond: verifySecondOrRefuse, renew }),
    );
  }
  const identity = await recordFailures(deps, call, failure, async () => {
    if (password !== undefined) {
      await requirePassword(deps, call, account, { password, guesser });
      return null;
    }
    const proof = providerProofOf(deps, call, input);
    if (!proof) throw new ApiError('auth/invalid-credential');
    return deps.limiter.countFailure(app, guesser, () => requireIdentity(deps, call, proof));
  });
  const second = await verifySecond();
  if (second || identity)
    return changeInTurn(deps, call, async (tx, record) => {
      const renewed = await renew(tx, record, second);
      // Often the last request before the account is deleted, and so the last code from provider B.
      if (identity) await recordRefused(deps, call, failure, () => spendProof(tx, deps, app, identity));
      return renewed;
    });
  return deps.turns.write(call, () => renewSignIn(deps.query, deps, call, { method }));
}

/**
 * Where a factor is required, a user who has a passkey and no authenticator app signs in with the passkey. Another credential
 * must not renew the sign-in time either: it could then enroll an authenticator app, and the session would lose its `mfa`.
 */
async function requirePasskeyOfOnlyFactor(deps: Deps, call: UserCall, method: SessionMethod): Promise<void> {
  const { app, uid } = call;
  if (secondFactorRule(app) !== 'required') return;
  if (await hasPasskeyBeside(deps.prisma, deps, app, { uid, signIn: { method } }))
    throw new ApiError('auth/second-factor-required', { fields: { factors: ['passkey'] } });
}

async function verifySecondFactor(deps: Deps, call: UserCall, proof: FactorProof): Promise<VerifiedFactor> {
  const { uid } = call;
  const failure = { action: 'user.second_factor_failed', uid, method: factorOf(proof) } as const;
  const verified = await recordFailures(deps, call, failure, () =>
    verifyFactor(deps, call, { uid, ticket: null }, proof),
  );
  return {
    ...verified,
    spend: (...args) => recordRefused(deps, call, failure, () => verified.spend(...args)),
  };
}

type ByPasskey = {
  passkey: PasskeyAssertion;
  guesser: Parameters<Deps['limiter']['countFailure']>[1];
  /** Verifies the second factor of a user who has one. */
  verifySecond(): Promise<VerifiedFactor> | null;
  renew(
    tx: Tx,
    record: ChangeRecord,
    second: VerifiedFactor | null,
    amr?: string[],
  ): Promise<AccessTokenAnswer>;
};

function renewByPasskey(
  deps: Deps,
  call: UserCall,
  { passkey, guesser, verifySecond, renew }: ByPasskey,
): Promise<AccessTokenAnswer> {
  const { app, uid } = call;
  return recordPasskeyRefusals(deps, call, async () => {
    const { amr, use } = await deps.limiter.countFailure(app, guesser, () =>
      verifyAssertion(deps, app, passkey, uid),
    );
    const second = amr.includes('mfa') ? null : await verifySecond();
    return refusingReplay(uid, () =>
      changeInTurn(deps, call, async (tx, record) => {
        const renewed = await renew(tx, record, second, amr);
        if (!(await usePasskey(tx, use))) {
          const cause = 'the passkey changed meanwhile';
          throw new ApiError('request/unavailable', { retryAfterSeconds: 1, cause });
        }
        return renewed;
      }),
    );
  });
}

function methodOf(proof: Reauthentication): SessionMethod {
  if (proof.code !== undefined) return 'email_code';
  if (proof.password !== undefined) return 'password';
  if (proof.passkey !== undefined) return 'passkey';
  if (proof.provider !== undefined) return methodOfProvider(proof.provider.id);
  return proof.provider_a !== undefined ? 'provider_a' : 'provider_b';
}

function providerProofOf(deps: Deps, { app }: UserCall, input: Reauthentication): ProviderProof | null {
  const token = input.provider_a ?? input.provider_b;
  if (token) return proofOf(token);
  const { provider } = input;
  if (!provider) return null;
  requireKnownProvider(app, provider.id);
  return 'code' in provider
    ? proofOfCode(deps, app, provider, provider.id)
    : proofOfProvider(provider.id, provider);
}
