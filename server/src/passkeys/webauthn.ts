// The library of WebAuthn, loaded with the first passkey: with its parsers of certificates it takes 28 MB, and many services have
// no passkeys.
export type WebAuthn = Awaited<ReturnType<typeof load>>;

let loaded: Promise<WebAuthn> | undefined;

export function webAuthn(): Promise<WebAuthn> {
  loaded ??= load();
  return loaded;
}

async function load() {
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  const { verifyAuthenticationResponse, verifyRegistrationResponse } = server;
  return { verifyAuthenticationResponse, verifyRegistrationResponse, helpers };
}
