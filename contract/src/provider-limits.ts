// The limits of identity providers: their ID tokens, how many an app may set, and the redirects to them.

/** How long an accepted ID token of a provider is accepted again, for retries. */
export const idTokenRetrySeconds = 300;
/** The maximum age of a provider's ID token, by its `iat`. */
export const maxIdTokenAgeSeconds = 3_600;
/** A token of Microsoft with the 200 groups that it may name has some 11,000. */
export const maxIdTokenCharacters = 16_384;
/** The maximum difference by which a provider's clock may be ahead of the service's. */
export const idTokenClockSeconds = 60;

/** Client ids of each platform of an identity provider: an app has one for each build, bundle or signing certificate. */
export const clientIdsPerPlatform = 50;
export const maxClientIdCharacters = 255;
/** The providers of the setting `providers`, in addition to provider A and B. */
export const providersPerApp = 20;
export const maxProviderIdCharacters = 32;
export const maxIssuerCharacters = 255;
export const maxClientSecretCharacters = 512;
/** The scopes that are requested from a provider of the settings. */
export const scopesPerProvider = 20;
export const maxScopeCharacters = 100;

/** Where the app may have users sent back to from a provider. */
export const redirectUrisPerApp = 50;
export const maxRedirectUriCharacters = 512;
/** How long a user may take to sign in at the provider. */
export const providerRedirectSeconds = 1_200;
/** How long the app may take to finish with the code that it receives. */
export const providerCodeSeconds = 60;
/** The longest state and code in a redirect from a provider, and the longest code of the service. */
export const maxRedirectParameterCharacters = 8_192;
/** A form with which a provider sends the user back: state, code and names, percent-encoded. */
export const maxRedirectFormBytes = 32_768;
