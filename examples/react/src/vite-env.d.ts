/// <reference types="vite/client" />

interface ImportMetaEnv {
  readonly VITE_FOYER_BASE_URL?: string;
  readonly VITE_FOYER_APP_KEY?: string;
}
