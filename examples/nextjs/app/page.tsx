import { isFoyerError } from '@foyer/sdk';
import { redirect } from 'next/navigation';
import { connection, serverClient } from '../lib/foyer-server';
import { AddPasskey } from './add-passkey';
import { Devices } from './devices';
import { SignOut } from './sign-out';

/** Rendered on the server, with the user of the request. */
export default async function Home() {
  const client = await serverClient();
  if (!client) redirect('/sign-in');
  const user = await client.me.get().catch((error) => {
    // The session has ended since its access token was issued.
    if (isFoyerError(error, 'auth/invalid-token')) return null;
    // Shows error.tsx. A session that cannot be renewed while the service is unreachable has not ended.
    throw error;
  });
  if (!user) redirect('/sign-in');
  return (
    <>
      <h1>Hello {user.first_name ?? user.email}</h1>
      <p>
        You are signed in as <strong>{user.email}</strong>. The server rendered this for you.
      </p>
      <Devices connection={connection()} />
      <AddPasskey connection={connection()} />
      <SignOut connection={connection()} />
    </>
  );
}
