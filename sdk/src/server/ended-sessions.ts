// Sessions that a sign-in or sign-out has just ended in their browser. A refresh for another tab or page may still be on
// its way, and the cookies of its response would replace those of the new session.

/** The time is longer than a refresh and its response take. */
const rememberedMs = 60_000;
const maxSessions = 20_000;

export interface EndedSessions {
  add(sid: string): void;
  has(sid: string): boolean;
}

export function createEndedSessions(): EndedSessions {
  const endedAtMs = new Map<string, number>();
  const isRecent = (sid: string) => Date.now() - (endedAtMs.get(sid) ?? 0) < rememberedMs;
  return {
    has: isRecent,
    add(sid) {
      endedAtMs.delete(sid);
      endedAtMs.set(sid, Date.now());
      for (const oldest of endedAtMs.keys()) {
        if (endedAtMs.size <= maxSessions && isRecent(oldest)) return;
        endedAtMs.delete(oldest);
      }
    },
  };
}
