// The answer to a sign-in with a provider.
import * as z from 'zod';
import { TokenAnswer } from './token-answer.js';

export const ProviderTokenAnswer = TokenAnswer.extend({
  is_new_user: z.boolean().meta({
    description: 'True if this call created the account; false if the same ID token is sent again.',
    example: false,
  }),
}).meta({ id: 'ProviderATokenAnswer' });
