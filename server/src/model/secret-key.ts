// The metadata of a secret key, without the key.

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
