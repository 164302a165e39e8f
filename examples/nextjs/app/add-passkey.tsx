'use client';
import { isFoyerError, passkeys } from '@foyer/sdk';
import { useState } from 'react';
import { type Connection, foyer } from '../lib/foyer-browser';

/** Signs in next time without a password. Right after a sign-in it needs no further proof. */
export function AddPasskey({ connection }: { connection: Connection }) {
  const [message, setMessage] = useState<string>();

  async function add() {
    try {
      const { name } = await passkeys(foyer(connection)).register();
      setMessage(`Added: ${name}`);
    } catch (error) {
      if (!isFoyerError(error)) throw error;
      setMessage(`The passkey was not added (${error.code}).`);
    }
  }

  return (
    <section>
      <button type="button" onClick={add}>
        Add a passkey
      </button>
      {message && <p role="status">{message}</p>}
    </section>
  );
}
