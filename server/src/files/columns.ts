// The row of a file: its columns, and which of them the answers contain.
import { namesIn, shownIn } from '../model/wire.js';

export type Visibility = 'private' | 'public';

export type FileRow = {
  appId: string;
  id: string;
  ownerId: string | null;
  name: string;
  contentType: string;
  size: number;
  sha256: Uint8Array;
  visibility: Visibility;
  createdAt: Date;
};

const table = {
  appId: 'internal',
  id: 'shown',
  ownerId: 'internal',
  name: 'shown',
  contentType: 'shown',
  size: 'shown',
  sha256: 'internal',
  visibility: 'shown',
  createdAt: 'shown',
} as const satisfies Record<keyof FileRow, 'shown' | 'internal'>;

export const fileNames = namesIn(table);
export const shownOfFile = shownIn(table);
