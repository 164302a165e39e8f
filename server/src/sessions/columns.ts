// The columns of sessions: those of a live session in a request, and those of a session in a list.
import { columnList, type Prisma } from '@foyer/prisma';
import type { Device, SessionMethod, TokenSession } from '../model/session.js';
import type { UserRow } from '../model/user.js';

type InRequest = Exclude<keyof TokenSession, keyof UserRow>;
const inRequest: Record<InRequest, true> = { sessionId: true, authTime: true, amr: true };

/** The columns of a `TokenSession` beside its user, of a relation named `s`. */
export const liveSessionColumns = columnList(Object.keys(inRequest), {
  of: 's',
  columns: { sessionId: 'id' },
});

export const listedColumns = {
  id: true,
  method: true,
  deviceName: true,
  deviceType: true,
  os: true,
  browser: true,
  appVersion: true,
  ip: true,
  createdAt: true,
  lastUsedAt: true,
} as const;

export type ListedSession = Prisma.SessionGetPayload<{ select: typeof listedColumns }> & {
  method: SessionMethod;
  deviceType: Device['type'];
};
