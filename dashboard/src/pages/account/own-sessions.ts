// Where the member's own sessions are in the cache.

export const ownSessionsKey = ['console', 'sessions'];
