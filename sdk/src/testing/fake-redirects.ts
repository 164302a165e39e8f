// Sign-in by redirect in the fake service: no page of a provider is opened, a test says who signs in there.
import { sha256 } from '../features/sha256.js';
import { type Call, data, forAnyone, type Handlers, Refusal } from './fake-answer.js';
import type { FakeClock } from './fake-clock.js';
import { accept, text } from './fake-input.js';

/** Who signs in at a provider. */
export interface ProviderClaims {
  sub: string;
  email: string;
  email_verified: boolean;
}

interface Begun {
  provider: string;
  redirectUri: string;
  challenge: string;
}

interface Issued extends Begun {
  claims: ProviderClaims;
  atMs: number;
  isUsed?: boolean;
}

export type FakeRedirects = ReturnType<typeof fakeRedirects>;

export const codeProof = { code: text(8_192), code_verifier: text(128, 43) };
const builtIn: readonly string[] = ['provider-a', 'provider-b'];
const codeMs = 60_000;

export function fakeRedirects(clock: FakeClock, providers: Record<string, unknown>) {
  const begun = new Map<string, Begun>();
  const issued = new Map<string, Issued>();

  function begin({ params: { provider = '' }, body }: Call) {
    const input = accept(body, { redirect_uri: text(512), code_challenge: text(43, 43) });
    if (![...builtIn, ...Object.keys(providers)].includes(provider))
      throw new Refusal('auth/no-such-provider');
    const url = `https://${provider}.provider.test/authorize?state=${clock.newId()}`;
    begun.set(url, { provider, redirectUri: input.redirect_uri, challenge: input.code_challenge });
    return data({ url });
  }

  function returning(url: string, parameter: (flow: Begun) => string): string {
    const flow = begun.get(url);
    if (!flow) throw new TypeError(`No sign-in began with ${url}.`);
    const { redirectUri } = flow;
    return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameter(flow)}`;
  }

  /** Throws for a wrong code; `spend` does for one that was used. */
  function verify({ code, code_verifier }: { code: string; code_verifier: string }, provider?: string) {
    const found = issued.get(code);
    const isValid =
      found !== undefined &&
      (provider ?? found.provider) === found.provider &&
      clock.now() < found.atMs + codeMs &&
      hexOf(found.challenge) === sha256(code_verifier);
    if (!isValid) throw new Refusal('auth/invalid-credential');
    const spend = () => {
      if (found.isUsed) throw new Refusal('auth/invalid-credential');
      found.isUsed = true;
    };
    return { provider: found.provider, claims: { ...found.claims, nonce: '' }, spend };
  }

  return {
    handlers: {
      'POST /auth/providers/:provider/authorize': forAnyone(begin),
    } satisfies Partial<Handlers<'POST /auth/providers/:provider/authorize'>>,

    /** The URL at which the app opens once a user has signed in at the URL of the provider. */
    returnFrom(url: string, claims: ProviderClaims): string {
      return returning(url, (flow) => {
        const code = `pc_${clock.newId()}`;
        issued.set(code, { ...flow, claims, atMs: clock.now() });
        return `code=${code}`;
      });
    },
    /** The URL at which the app opens once a user has declined. */
    cancel: (url: string) => returning(url, () => `error=${encodeURIComponent('auth/user-cancelled')}`),

    verify,
    use(...given: Parameters<typeof verify>) {
      const { spend, ...proven } = verify(...given);
      spend();
      return proven;
    },
  };
}

/** The digest that a code challenge has in base64url. */
function hexOf(challenge: string): string {
  const bytes = atob(challenge.replace(/-/g, '+').replace(/_/g, '/'));
  return [...bytes].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}
