// The part of fs-native-extensions that we use; it brings no types of its own.
declare module 'fs-native-extensions' {
  /** Takes the exclusive lock of a file, or returns false where another holds it. */
  export function tryLock(fd: number): boolean;
  export function waitForLock(fd: number): Promise<void>;
}
