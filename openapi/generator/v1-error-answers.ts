// The error responses of an operation of v1: a status and one sentence, without a code.
import { type ErrorCode, v1ErrorOf, v1SwitchedOff } from '@foyer/contract';
import { answeredErrors, byStatus, type ErrorAnswers, headersOf } from './error-answers.js';
import { type AnswerHeader, headerReferences } from './headers.js';
import type { Route } from './routes.js';

export const v1Headers: AnswerHeader[] = ['X-Request-Id', 'Sunset', 'Deprecation', 'Link'];

export const spokenErrors: ErrorAnswers = {
  coded: false,
  of: (route) => ({
    ...Object.fromEntries(
      byStatus(v1ErrorsOf(route), (code) => v1ErrorOf(code).status).map(([status, codes]) => [
        status,
        answer(
          codes.map((code) => [nameOf(code), v1ErrorOf(code).message]),
          headersOf(Number(status), codes, route),
        ),
      ]),
    ),
    [v1SwitchedOff.status]: answer([['switched-off', v1SwitchedOff.message]]),
  }),
  shared: () => ({}),
};

/**
 * The codes of the catalogue that an operation of v1 can return. Its tokens do not expire in the sense of
 * `auth/token-expired`.
 */
export function v1ErrorsOf(route: Route): ErrorCode[] {
  return answeredErrors(route).filter((code) => code !== 'auth/token-expired');
}

function answer(texts: [name: string, message: string][], headers: AnswerHeader[] = []) {
  return {
    description: texts.map(([, message]) => `${texts.length > 1 ? '- ' : ''}${message}`).join('\n'),
    headers: headerReferences(...v1Headers, ...headers),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(
          texts.map(([name, message]) => [name, { summary: name, value: { message } }]),
        ),
      },
    },
  };
}

/** `auth/email-already-in-use` → `email-already-in-use` */
function nameOf(code: ErrorCode): string {
  return code.slice(code.indexOf('/') + 1);
}
