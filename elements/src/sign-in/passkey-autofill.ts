// The passkeys in the suggestions of the email field: one request at a time waits for the user to choose one.
import { isFoyerError, type Session } from '@foyer/sdk';

/** The user has chosen none, or the browser cannot offer them: nothing to tell. */
const silent = /^client\/(aborted|passkey-|network|timeout)/;

export class PasskeyAutofill {
  #waiting: AbortController | undefined;

  /** `onChosen` gets the result of the sign-in with the passkey that the user has chosen. */
  start(
    signIn: (signal: AbortSignal) => Promise<Session>,
    onChosen: (result: Promise<Session>) => unknown,
  ): void {
    if (this.#waiting) return;
    const waiting = new AbortController();
    this.#waiting = waiting;
    const result = signIn(waiting.signal);
    const end = (error?: unknown) => {
      if (this.#waiting === waiting) this.#waiting = undefined;
      if (!isFoyerError(error) || !silent.test(error.code)) onChosen(result);
    };
    result.then(() => end(), end);
  }

  stop(): void {
    this.#waiting?.abort();
    this.#waiting = undefined;
  }
}
