// The module that `contract-extract.ts` makes during the build.
declare module 'virtual:contract-extract' {
  export const routes: Record<
    string,
    Record<string, { method: string; path: string; idempotencyKey?: boolean; errors?: readonly string[] }>
  >;
  export const errorMessages: Partial<Record<string, string>>;
}
