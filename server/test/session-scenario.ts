// The steps that scenarios of sessions share: a new user, refreshes that must succeed, and the session's row.
import type { TokenAnswer } from '@foyer/contract';
import type { Event as EventRow, Session as SessionRow } from '@foyer/prisma';
import { expect } from 'vitest';
import { claimsOf, type TestService, type TestUser } from './harness.js';

export const revoked = { status: 401, code: 'auth/refresh-token-revoked' };
export const invalid = { status: 401, code: 'auth/invalid-token' };

export function sessionScenario(service: () => TestService) {
  async function refresh(refreshToken: string): Promise<TokenAnswer> {
    const answer = await service().refresh(refreshToken);
    expect(answer.code).toBeUndefined();
    expect(answer.status).toBe(200);
    return answer.data;
  }

  return {
    async start(): Promise<{ user: TestUser; sid: string; first: string }> {
      const user = await service().signUp();
      return { user, sid: claimsOf(user.tokens.access_token).sid, first: user.tokens.refresh_token };
    },
    /** A refresh that must succeed. */
    refresh,
    /** The same; returns only its refresh token. */
    spend: async (refreshToken: string) => (await refresh(refreshToken)).refresh_token,
    rowOf: (sid: string): Promise<SessionRow> =>
      service().database.prisma.session.findUniqueOrThrow({
        where: { appId_id: { appId: service().app.app.id, id: sid } },
      }),
    eventsOf: (uid: string, type?: string): Promise<EventRow[]> =>
      service().database.prisma.event.findMany({
        where: { appId: service().app.app.id, uid, ...(type !== undefined && { type }) },
        orderBy: { id: 'asc' },
      }),
    me: (accessToken: string) => service().call('GET', '/me', { token: accessToken }),
  };
}
