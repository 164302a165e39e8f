// The numbers promised to clients: specification "Limits" and the conventions of the API. Units stand last in the name.

export const minPasswordCharacters = 8;
export const maxPasswordBytes = 1_024;
export const maxEmailCharacters = 254;
export const maxNameCharacters = 100;
export const maxUrlCharacters = 2_048;

export const accessTokenSeconds = { min: 300, default: 3_600, max: 86_400 } as const;
export const refreshIdleDays = 90;
export const refreshReuseSeconds = 30;
/** Refreshes of one session inside the reuse window; one more answers `request/rate-limited`. */
export const refreshesPerReuseWindow = 64;
export const liveSessionsPerUser = 100;

export const codeDigits = 6;
export const codeSeconds = 600;
export const codeGuesses = 5;
/** An accepted ID token of a provider works again for this long (a retry), then never. */
export const idTokenRetrySeconds = 300;
/** The greatest age, by its `iat`, at which a provider's ID token is accepted. */
export const maxIdTokenAgeSeconds = 3_600;
/** How far a provider's clock may be ahead of the service's. */
export const idTokenClockSeconds = 60;
/** The age of the sign-in that sensitive calls demand; an app setting. */
export const recentSignInMinutes = { min: 1, default: 5, max: 60 } as const;

export const bodyBytes = 100 * 1_024;
export const pageItems = { default: 25, max: 100 } as const;

/** How a request is counted: the policy's key, how many calls, in how many seconds. */
export const rateLimits = {
  'auth-ip': { limit: 60, windowSeconds: 60 },
  'auth-failures-email-ip': { limit: 10, windowSeconds: 900 },
  'auth-failures-email': { limit: 50, windowSeconds: 900 },
  'auth-failures-user': { limit: 10, windowSeconds: 900 },
  'exchange-ip': { limit: 600, windowSeconds: 60 },
  'code-send-email-ip-pause': { limit: 1, windowSeconds: 30 },
  'code-send-email-ip': { limit: 5, windowSeconds: 3_600 },
  'code-send-email': { limit: 30, windowSeconds: 86_400 },
  'notice-email': { limit: 5, windowSeconds: 3_600 },
  'code-send-ip': { limit: 60, windowSeconds: 3_600 },
  'refresh-session': { limit: 120, windowSeconds: 300 },
  client: { limit: 300, windowSeconds: 60 },
  admin: { limit: 1_000, windowSeconds: 60 },
} as const;

/** The name of a rate limit policy, as it appears in the `RateLimit-Policy` header. */
export type RateLimitPolicy = keyof typeof rateLimits;
