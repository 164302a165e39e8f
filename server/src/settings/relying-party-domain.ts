// Whether a domain can be the relying party of passkeys.

/**
 * Why browsers refuse the domain, continuing its name; null if they accept it. Passkeys of a public suffix, such as `co.uk` or
 * `github.io`, could be asked for by every site below it. Their list is loaded when a team sets a domain.
 */
export async function rpIdFault(rpId: string): Promise<string | null> {
  if (rpId === 'localhost') return null;
  const { parse } = await import('tldts');
  const { publicSuffix } = parse(rpId, { allowPrivateDomains: true });
  if (publicSuffix !== rpId) return null;
  return 'must not be a public suffix, below which anybody can register names; use your own domain below it';
}
