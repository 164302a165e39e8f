// The part of fs-native-extensions that we use; it ships no types.
declare module 'fs-native-extensions' {
  /** Takes the exclusive lock of a file, or returns false if another process holds it. */
  export function tryLock(fd: number): boolean;
  export function waitForLock(fd: number): Promise<void>;
}
