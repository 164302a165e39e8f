// Converts a ULID to its 16 bytes and back. The library converts through the text of a UUID, which is too slow for every refresh.

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const characters = 26;
const timeCharacters = 10;
const bytesOfUlid = 16;
const valueOfCharacter = new Map([...alphabet].map((character, value) => [character, value]));

/** Throws unless `ulid` is an upper-case ULID. */
export function ulidBytes(ulid: string): Buffer {
  if (ulid.length !== characters || ulid > '8') throw new Error('not a ULID');
  const bytes = Buffer.alloc(bytesOfUlid);
  let buffer = 0;
  let bufferBits = 0;
  let at = bytesOfUlid;
  for (let i = characters - 1; i >= 0; i -= 1) {
    const value = valueOfCharacter.get(ulid[i] as string);
    if (value === undefined) throw new Error('not a ULID');
    buffer |= value << bufferBits;
    bufferBits += 5;
    if (bufferBits >= 8) {
      at -= 1;
      bytes[at] = buffer & 0xff;
      buffer >>>= 8;
      bufferBits -= 8;
    }
  }
  return bytes;
}

export function ulidText(bytes: Uint8Array): string {
  let text = '';
  let buffer = 0;
  let bufferBits = 0;
  let at = bytesOfUlid;
  while (text.length < characters) {
    if (bufferBits < 5 && at > 0) {
      at -= 1;
      buffer |= (bytes[at] as number) << bufferBits;
      bufferBits += 8;
    }
    text = alphabet.charAt(buffer & 0x1f) + text;
    buffer >>>= 5;
    bufferBits -= 5;
  }
  return text;
}

/** The lowest ULID of that millisecond; for a time before 1970 the lowest of all. */
export function firstUlidOf(time: Date): string {
  const bytes = Buffer.alloc(bytesOfUlid);
  bytes.writeUIntBE(Math.max(0, time.getTime()), 0, 6);
  return ulidText(bytes);
}

/**
 * A new ULID with the time of another moment. The generator never goes back: asked for a later time, it would give that time
 * to all ids that follow.
 */
export function ulidWithTime(newUlid: string, time: Date): string {
  return firstUlidOf(time).slice(0, timeCharacters) + newUlid.slice(timeCharacters);
}

/**
 * The lowest ULID at or after a `Timestamp` of the contract. ULIDs have whole milliseconds: those after a time between two of
 * them begin at the second.
 */
export function firstUlidAt(timestamp: string): string {
  const milliseconds = Date.parse(`${timestamp.slice(0, -4)}Z`);
  return firstUlidOf(new Date(timestamp.endsWith('000Z') ? milliseconds : milliseconds + 1));
}
