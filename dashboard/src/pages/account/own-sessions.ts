// The cache of the member's own sessions.

export const ownSessionsKey = ['console', 'sessions'];
