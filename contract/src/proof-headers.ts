// Headers by which the service tells an account's owner from strangers who know the email (conventions of the API, "Budgets
// that strangers cannot spend"). Each endpoint names in its metadata those that it reads and answers.
import { z } from 'zod';
import { codeFlowPattern, codeGuesses } from './limits.js';

/** Names one mailed code for the client that asked for it. */
export const CodeFlow = z
  .string()
  .regex(codeFlowPattern, 'must be the X-Code-Flow that an answer carried')
  .meta({
    description:
      'The `X-Code-Flow` of the answer that announced the code. Exactly that code is judged, with ' +
      `${codeGuesses} guesses of its own, even if another one was mailed since. Without it the newest code is judged, whose ` +
      'guesses anybody who knows the email can use up.',
    example: 'fl_q0dyjPzW8uTGxXyW6zqkXA',
  });

export const codeFlowAnswer =
  'Names the code that this call mailed. Send it back with the code. It is there for every email, whether or not a mail was ' +
  'sent.';

export type ProofHeader = 'X-Code-Flow';
