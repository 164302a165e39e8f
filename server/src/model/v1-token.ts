// An API v1 token, and the user fields of v1.
import type { UserRow } from './user.js';

export type V1UserRow = UserRow & {
  /** Null until v1 returns the user for the first time. */
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
