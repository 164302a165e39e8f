// A secret key as an app's team sees it, and the part of it by which calls are judged. Never the key itself.

export type SecretKey = {
  id: string;
  name: string;
  lastFour: string;
  scopes: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
};

export type SecretKeyRow = Pick<SecretKey, 'id' | 'scopes' | 'lastUsedAt' | 'expiresAt' | 'revokedAt'>;
