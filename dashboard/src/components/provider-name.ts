// The identity providers by the names that people know.

export const providerNames = { 'provider-a': 'Google', 'provider-b': 'Apple' } as const;

export function providerName(provider: string): string {
  return providerNames[provider as keyof typeof providerNames] ?? provider;
}
