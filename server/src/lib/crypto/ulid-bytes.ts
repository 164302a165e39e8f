// A ULID as its 16 bytes, and back. By hand, because every refresh does it several times, and the library's way leads
// through the text of a UUID.

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const characters = 26;
const bytesOfUlid = 16;
const valueOfCharacter = new Map([...alphabet].map((character, value) => [character, value]));

/** Throws for what is not a ULID in upper case. */
export function ulidBytes(ulid: string): Buffer {
  if (ulid.length !== characters || ulid > '8') throw new Error('not a ULID');
  const bytes = Buffer.alloc(bytesOfUlid);
  let held = 0;
  let heldBits = 0;
  let at = bytesOfUlid;
  for (let i = characters - 1; i >= 0; i -= 1) {
    const value = valueOfCharacter.get(ulid[i] as string);
    if (value === undefined) throw new Error('not a ULID');
    held |= value << heldBits;
    heldBits += 5;
    if (heldBits >= 8 && at > 0) {
      at -= 1;
      bytes[at] = held & 0xff;
      held >>>= 8;
      heldBits -= 8;
    }
  }
  return bytes;
}

export function ulidText(bytes: Uint8Array): string {
  let text = '';
  let held = 0;
  let heldBits = 0;
  let at = bytesOfUlid;
  while (text.length < characters) {
    if (heldBits < 5 && at > 0) {
      at -= 1;
      held |= (bytes[at] as number) << heldBits;
      heldBits += 8;
    }
    text = alphabet.charAt(held & 0x1f) + text;
    held >>>= 5;
    heldBits -= 5;
  }
  return text;
}

/** The id that sorts before all others of that millisecond; a time before 1970 is before them all. */
export function firstUlidOf(time: Date): string {
  const bytes = Buffer.alloc(bytesOfUlid);
  bytes.writeUIntBE(Math.max(0, time.getTime()), 0, 6);
  return ulidText(bytes);
}
