// Renews the tokens of sessions whose browser may miss a response: one refresh at a time for each session, and remembers tokens
// until the browser presents them.
import { isDenied } from '../session/refresh.js';
import type { PresentedSession, SessionTokens } from './session-cookies.js';

/** The refresh tokens of one session, of which the browser holds one. */
interface Chain {
  /** The newest tokens; undefined until the first refresh succeeds. */
  tokens?: SessionTokens;
  /** The tokens that lead to them. */
  spent: string[];
  /** The pending refresh, shared by its callers. */
  pending?: Promise<SessionTokens> | undefined;
  sinceMs: number;
}

const maxTokens = 20_000;
/** Twice as long as the service repeats the response to a spent token. */
const maxAgeMs = 60_000;

export interface TokenChains {
  /**
   * The successors of a spent refresh token whose `Set-Cookie` the browser did not receive. Undefined when the token is
   * not known to be spent. A browser that presents the newest token has received it: from then on an older one is for
   * the service to judge, which repeats its response for 30 seconds and then takes it for a stolen one.
   */
  successorOf(presented: PresentedSession): SessionTokens | undefined;
  /** Exchanges the newest refresh token of the session, once for all callers. */
  refresh(
    presented: PresentedSession,
    exchange: (refreshToken: string) => Promise<SessionTokens>,
  ): Promise<SessionTokens>;
}

export function createTokenChains(): TokenChains {
  const chains = new Map<string, Chain>();

  function forget(chain: Chain): void {
    for (const token of chain.spent) chains.delete(token);
    if (chain.tokens) chains.delete(chain.tokens.refreshToken);
  }

  function forgetOldest(): void {
    for (const [token, chain] of chains) {
      if (chains.size <= maxTokens && Date.now() - chain.sinceMs < maxAgeMs) return;
      if (!chain.pending) chains.delete(token);
    }
  }

  function successorOf({ refreshToken }: PresentedSession): SessionTokens | undefined {
    const chain = chains.get(refreshToken);
    if (!chain?.tokens || chain.pending) return undefined;
    const isRemembered = Date.now() - chain.sinceMs < maxAgeMs;
    if (isRemembered && chain.tokens.refreshToken !== refreshToken) return chain.tokens;
    forget(chain);
    return undefined;
  }

  return {
    successorOf,
    refresh(presented, exchange) {
      const { refreshToken } = presented;
      const newest = successorOf(presented)?.refreshToken ?? refreshToken;
      const chain = chains.get(refreshToken) ?? { spent: [], sinceMs: Date.now() };
      chains.set(refreshToken, chain);
      chain.pending ??= exchange(newest)
        .then(
          (tokens) => {
            chain.spent.push(newest);
            chain.tokens = tokens;
            chain.sinceMs = Date.now();
            chains.set(tokens.refreshToken, chain);
            return tokens;
          },
          (error) => {
            if (isDenied(error)) forget(chain);
            throw error;
          },
        )
        .finally(() => {
          chain.pending = undefined;
          if (!chain.tokens) chains.delete(refreshToken);
          forgetOldest();
        });
      return chain.pending;
    },
  };
}
