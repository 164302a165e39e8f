// The module that `contract-extract.ts` makes during the build.
declare module 'virtual:contract-extract' {
  export const errorMessages: Partial<Record<string, string>>;
}
