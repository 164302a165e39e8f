// POST /me/passkeys: stores a passkey that the user's authenticator has created. A mail notifies the user of the new way in.
import { limits, type Passkey, type PasskeyRegistration } from '@foyer/contract';
import { Prisma } from '@foyer/prisma';
import { writeUserEvent } from '../accounts/write-user.js';
import { recordRefused } from '../audit/record-failure.js';
import { changeInTurn } from '../change.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { sessionIdsOf, type UserCall } from '../model/call.js';
import { lockUserOfCall } from '../sessions/find-session.js';
import { providerNameOf } from './authenticator-names.js';
import { serializePasskey } from './list-passkeys.js';
import { RefusedPasskey, recordPasskeyRefusals } from './refused-passkey.js';
import { insertPasskey, listPasskeyRows, type PasskeyRow, useChallenge } from './store.js';
import { verifyRegistration } from './verify-registration.js';

export async function addPasskey(
  deps: Deps,
  call: UserCall,
  input: { credential: PasskeyRegistration; name?: string | undefined },
): Promise<Passkey> {
  const { uid } = call;
  const ids = sessionIdsOf(call);
  const { appId } = ids;
  const failure = { action: 'passkey.add_failed', method: 'passkey', uid } as const;
  return recordRefused(deps, call, failure, () =>
    recordPasskeyRefusals(deps, call, async () => {
      const { credential, challengeHash } = await verifyRegistration(deps, call, input.credential);
      const now = deps.clock.now();
      const name = input.name ?? providerNameOf(credential.aaguid) ?? 'Passkey';
      const id = deps.random.ulid(now);
      const passkey: PasskeyRow = { ...credential, appId, uid, id, name, createdAt: now, lastUsedAt: null };
      await changeInTurn(deps, call, async (tx, record) => {
        const user = await lockUserOfCall(tx, ids);
        if (!(await useChallenge(tx, appId, challengeHash, now)))
          throw new RefusedPasskey('used-challenge', { uid });
        // Counted under the lock of the user, so that parallel calls cannot exceed the limit.
        const own = await listPasskeyRows(tx, ids);
        if (own.length >= limits.passkeysPerUser) throw new ApiError('auth/too-many-passkeys');
        if (!(await insertPasskey(tx, passkey))) throw new ApiError('auth/passkey-already-registered');
        const more = Prisma.sql`jsonb_build_object('passkey', jsonb_build_object('id', ${id}::text))`;
        await writeUserEvent(tx, deps, ids, { type: 'user.passkey_added', more });
        await record.audit({ action: 'passkey.added', uid, details: { passkey: id } });
        await record.mail(call.app, { kind: 'passkey_added', to: user.email });
      });
      return serializePasskey(passkey);
    }),
  );
}
