// What the service writes into index.html: the public URL of the API, the app key of the team's own app, whether there is an owner
// who can sign in, the URLs of the packages of the SDK and of the ready screens, and the nonce that the content security policy demands
// of style elements.

const meta = document.querySelector<HTMLMetaElement>('meta[name="foyer"]');

/** `api` is the URL to show to developers; the dashboard itself calls the API at its own origin. */
export const pageConfig = JSON.parse(meta?.content ?? '{}') as {
  api: string;
  app_key: string;
  has_owner: boolean;
  /** Null if the SDK is not built. */
  sdk: string | null;
  /** With the SDK, or not at all. */
  elements: string | null;
};

export const styleNonce = meta?.nonce ?? '';
