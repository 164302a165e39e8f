// The passkeys and the second factor of the signed-in user.
import { type Factors, type Passkey, passkeys, secondFactor, type TotpEnrollment } from '@foyer/sdk';
import { usePages } from '@foyer/sdk/react';
import { useEffect, useState } from 'react';
import { Form, messageOf, Problem, useAction } from './action';
import { RecoveryCodes, TotpSetup } from './authenticator-app';
import { client } from './foyer';
import { useRecentSignIn } from './recent-sign-in';

const keys = passkeys(client);
const own = secondFactor(client);

export function Passkeys() {
  const { items, error, isLoading, hasMore, loadMore, refresh } = usePages((page, options) =>
    keys.list({ ...page, limit: 10 }, options),
  );
  const { confirmed, dialog } = useRecentSignIn();
  const { isBusy, problem, run } = useAction();

  return (
    <section>
      <h2>Passkeys</h2>
      <p>Sign in with the fingerprint, face or PIN of a device.</p>
      <Problem text={problem || (error === null ? '' : messageOf(error))} />
      <ul className="cards" aria-label="Passkeys" aria-busy={isLoading}>
        {items.map((passkey) => (
          <PasskeyCard
            key={passkey.id}
            passkey={passkey}
            isBusy={isBusy}
            onRename={(name) => keys.rename(passkey.id, name).then(refresh)}
            onRemove={() => run(() => confirmed(() => keys.remove(passkey.id)).then(refresh))}
          />
        ))}
      </ul>
      {hasMore && (
        <button type="button" disabled={isLoading} onClick={loadMore}>
          Show more
        </button>
      )}
      <button
        type="button"
        disabled={isBusy}
        onClick={() => run(() => confirmed(() => keys.register()).then(refresh))}
      >
        Add a passkey
      </button>
      {dialog}
    </section>
  );
}

function PasskeyCard(props: {
  passkey: Passkey;
  isBusy: boolean;
  onRename: (name: string) => Promise<void>;
  onRemove: () => void;
}) {
  const { name, last_used_at } = props.passkey;
  const [isEdited, setEdited] = useState(false);
  if (isEdited) {
    return (
      <li>
        <Form
          submit="Save the name"
          onSubmit={(field) => props.onRename(field('name')).then(() => setEdited(false))}
        >
          <label>
            Name of the passkey
            <input name="name" required maxLength={64} defaultValue={name} />
          </label>
        </Form>
      </li>
    );
  }
  return (
    <li>
      <span>
        {name}
        <br />
        <small>
          {last_used_at ? `Last used ${new Date(last_used_at).toLocaleString()}` : 'Not used yet'}
        </small>
      </span>
      <button type="button" onClick={() => setEdited(true)}>
        Rename
      </button>
      <button type="button" aria-label={`Remove ${name}`} disabled={props.isBusy} onClick={props.onRemove}>
        Remove
      </button>
    </li>
  );
}

export function SecondFactor() {
  const [factors, setFactors] = useState<Factors>();
  const [enrollment, setEnrollment] = useState<TotpEnrollment>();
  const [codes, setCodes] = useState<readonly string[]>([]);
  const { confirmed, dialog } = useRecentSignIn();
  const { isBusy, problem, run } = useAction();
  const read = () => own.get().then(setFactors);

  // biome-ignore lint/correctness/useExhaustiveDependencies: read once.
  useEffect(() => void run(read), []);

  async function confirm(code: string) {
    const { recovery_codes } = await own.confirmTotp(code);
    setCodes(recovery_codes);
    setEnrollment(undefined);
    await read();
  }

  if (factors?.rule === 'off') return null;
  if (codes.length > 0) return <RecoveryCodes codes={codes} onDone={() => setCodes([])} />;
  return (
    <section>
      <h2>Second factor</h2>
      <p role="status">{factors && statusOf(factors)}</p>
      <Problem text={problem} />
      {enrollment ? (
        <TotpSetup enrollment={enrollment} onCode={confirm} />
      ) : (
        <div className="buttons">
          <button
            type="button"
            disabled={isBusy || !factors}
            onClick={() => run(() => confirmed(() => own.beginTotp()).then(setEnrollment))}
          >
            {factors?.totp ? 'Replace the authenticator app' : 'Set up an authenticator app'}
          </button>
          {factors?.totp && (
            <>
              <button
                type="button"
                disabled={isBusy}
                onClick={() =>
                  run(async () => {
                    const { recovery_codes } = await confirmed(() => own.newRecoveryCodes());
                    setCodes(recovery_codes);
                    await read();
                  })
                }
              >
                New recovery codes
              </button>
              <button
                type="button"
                disabled={isBusy}
                onClick={() => run(() => confirmed(() => own.removeTotp()).then(read))}
              >
                Remove the authenticator app
              </button>
            </>
          )}
        </div>
      )}
      {dialog}
    </section>
  );
}

function statusOf({ totp, recovery_codes_left }: Factors): string {
  if (!totp) return 'A sign-in needs one step: there is no authenticator app.';
  return `A sign-in asks for a code of your authenticator app. ${recovery_codes_left} recovery codes are left.`;
}
