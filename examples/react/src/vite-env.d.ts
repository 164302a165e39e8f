/// <reference types="vite/client" />

interface ImportMetaEnv {
  readonly VITE_FOYER_BASE_URL?: string;
  readonly VITE_FOYER_APP_KEY?: string;
  readonly VITE_GOOGLE_CLIENT_ID?: string;
  readonly VITE_APPLE_CLIENT_ID?: string;
}
