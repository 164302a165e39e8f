// An API v1 token, and the user fields of v1.
import type { UserColumns, UserRow } from './user.js';

/** `v1Id` is null until v1 returns the user for the first time. */
export type V1UserRow = UserRow & Pick<UserColumns, 'v1Id' | 'memberId' | 'points'>;

export type LiveV1Token = V1UserRow & {
  appId: string;
  tokenHash: Uint8Array;
  usedAt: Date;
  userUsedAt: Date | null;
};
