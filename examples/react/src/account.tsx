// The user's profile, ways in, and the devices on which the user is signed in.
import type { SessionInfo } from '@foyer/sdk';
import { usePages, useUser } from '@foyer/sdk/react';
import { useState } from 'react';
import { Form, messageOf, Problem, useAction } from './action';
import { client } from './foyer';
import { Passkeys, SecondFactor } from './security';

export function Account() {
  return (
    <>
      <Profile />
      <Passkeys />
      <SecondFactor />
      <Devices />
    </>
  );
}

function Profile() {
  const user = useUser();
  const [message, setMessage] = useState('');
  if (!user) return null;
  return (
    <section>
      <h2>Profile</h2>
      <Form
        submit="Save"
        onSubmit={async (field) => {
          setMessage('');
          await client.me.update({ first_name: field('first_name'), last_name: field('last_name') });
          setMessage('Saved.');
        }}
      >
        <label>
          First name
          <input
            name="first_name"
            autoComplete="given-name"
            maxLength={100}
            defaultValue={user.first_name ?? ''}
          />
        </label>
        <label>
          Last name
          <input
            name="last_name"
            autoComplete="family-name"
            maxLength={100}
            defaultValue={user.last_name ?? ''}
          />
        </label>
      </Form>
      <p role="status">{message}</p>
    </section>
  );
}

const methods: Record<string, string> = {
  password: 'password',
  email_code: 'emailed code',
  provider_a: 'Google',
  provider_b: 'Apple',
  passkey: 'passkey',
};

function Devices() {
  const { items, error, isLoading, hasMore, loadMore, refresh } = usePages((page, options) =>
    client.me.sessions({ ...page, limit: 10 }, options),
  );
  const { isBusy, problem, run } = useAction();

  return (
    <section>
      <h2>Devices</h2>
      <Problem text={problem || (error === null ? '' : messageOf(error))} />
      <ul className="cards" aria-label="Devices" aria-busy={isLoading}>
        {items.map((session) => (
          <li key={session.id}>
            <span>
              {nameOf(session)}
              <br />
              <small>
                {session.current
                  ? 'This device'
                  : `Last used ${new Date(session.last_used_at).toLocaleString()}`}
                , signed in with {methods[session.method] ?? session.method}
              </small>
            </span>
            {!session.current && (
              <button
                type="button"
                aria-label={`Sign out ${nameOf(session)}`}
                disabled={isBusy}
                onClick={() => run(() => client.me.endSession(session.id).then(refresh))}
              >
                Sign out
              </button>
            )}
          </li>
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
        onClick={() => run(() => client.auth.signOut({ everywhere: true }))}
      >
        Sign out on all devices
      </button>
    </section>
  );
}

function nameOf({ device }: SessionInfo): string {
  return device.name ?? ([device.browser, device.os].filter(Boolean).join(' on ') || 'Unknown device');
}
