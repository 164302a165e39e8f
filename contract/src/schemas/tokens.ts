// The public keys that verify access tokens (RFC 7517).
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';

export const JsonWebKey = z
  .object({
    kty: z.enum(['EC', 'RSA']),
    kid: textUpTo(100).meta({ description: 'The `kid` in the header of tokens that this key signs.' }),
    use: z.literal('sig'),
    alg: z.enum(['ES256', 'RS256']),
    crv: z.literal('P-256').optional().meta({ description: 'Curve of an EC key.' }),
    x: textUpTo(64).optional().meta({ description: 'x coordinate of an EC key.' }),
    y: textUpTo(64).optional().meta({ description: 'y coordinate of an EC key.' }),
    n: textUpTo(1_024).optional().meta({ description: 'Modulus of an RSA key.' }),
    e: textUpTo(16).optional().meta({ description: 'Exponent of an RSA key.' }),
  })
  .meta({
    id: 'JsonWebKey',
    description: 'A public key (RFC 7517).',
    example: {
      kty: 'EC',
      kid: '8RWDpJpWj3s',
      use: 'sig',
      alg: 'ES256',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    },
  });
export type JsonWebKey = z.infer<typeof JsonWebKey>;
