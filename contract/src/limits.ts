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

export const bodyBytes = 100 * 1_024;
export const pageItems = { default: 25, max: 100 } as const;

/** How a request is counted: the policy's key, how many calls, in how many seconds. */
export const rateLimits = {
  'auth-ip': { limit: 60, windowSeconds: 60 },
  'auth-failures-email-ip': { limit: 10, windowSeconds: 900 },
  'auth-failures-email': { limit: 50, windowSeconds: 900 },
  'refresh-session': { limit: 120, windowSeconds: 300 },
  client: { limit: 300, windowSeconds: 60 },
} as const;

/** The name of a rate limit policy, as it appears in the `RateLimit-Policy` header. */
export type RateLimitPolicy = keyof typeof rateLimits;
