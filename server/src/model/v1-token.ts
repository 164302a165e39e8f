// The token of a call of API v1, and the user as only v1 shows them.
import type { UserRow } from './user.js';

export type V1UserRow = UserRow & {
  /** Null until v1 first shows the user. */
  v1Id: number | null;
  memberId: string;
  points: number;
};

export type LiveV1Token = V1UserRow & {
  appId: string;
  tokenHash: Uint8Array;
  usedAt: Date;
  userUsedAt: Date | null;
};
