// What the start logs about variables that are valid and still not as they should be.

type Variables = Partial<Record<'SECRET_KEY' | 'DATABASE_URL' | 'BASE_URL', string | undefined>>;

export function warningsOf({ SECRET_KEY, DATABASE_URL, BASE_URL }: Variables, baseUrl: string): string[] {
  const warnings: string[] = [];
  if (SECRET_KEY !== undefined) warnings.push('SECRET_KEY is deprecated: rename it to ENCRYPTION_KEYS');
  if (DATABASE_URL !== undefined && BASE_URL === undefined) {
    warnings.push(
      `BASE_URL is not set: tokens, links in mails and URLs of files name ${baseUrl}; set it before users sign up, since tokens name it as their issuer`,
    );
  }
  return warnings;
}
