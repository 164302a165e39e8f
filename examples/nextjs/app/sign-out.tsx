'use client';
import { useRouter } from 'next/navigation';
import { type Connection, foyer } from '../lib/foyer-browser';

export function SignOut({ connection }: { connection: Connection }) {
  const router = useRouter();
  return (
    <button
      type="button"
      onClick={async () => {
        await foyer(connection).auth.signOut();
        // The router also forgets the pages that were rendered for this user.
        router.replace('/sign-in');
        router.refresh();
      }}
    >
      Sign out
    </button>
  );
}
