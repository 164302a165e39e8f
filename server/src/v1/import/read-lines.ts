// Reads the lines of a file of any size with one chunk and one line, up to the maximum length, in memory.
import { TextDecoder } from 'node:util';
import { limits } from '@foyer/contract';

export type Line = {
  /** Counted from 1, as editors do. */
  number: number;
  /** Null for a line that is too long or not UTF-8. */
  text: string | null;
  problem: 'too long' | 'not UTF-8' | null;
  /** Bytes of the file up to the end of the line. */
  end: number;
};

const newline = 0x0a;

export async function* readLines(pieces: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line> {
  // The decoder removes a byte order mark at the start.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let number = 0;
  let end = 0;

  function take(part: Uint8Array): void {
    heldBytes += part.length;
    if (heldBytes > maxBytes) held = [];
    else held.push(part);
  }

  function finish(): Line {
    number += 1;
    const tooLong = heldBytes > maxBytes;
    const text = tooLong ? null : decoded(decoder, Buffer.concat(held));
    held = [];
    heldBytes = 0;
    return { number, text, problem: tooLong ? 'too long' : text === null ? 'not UTF-8' : null, end };
  }

  for await (const piece of pieces) {
    let from = 0;
    for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, from)) {
      take(piece.subarray(from, at));
      end += at + 1 - from;
      from = at + 1;
      yield finish();
    }
    take(piece.subarray(from));
    end += piece.length - from;
  }
  if (heldBytes > 0) yield finish();
}

/** Why a line has no text. */
export function problemOf({ problem }: Pick<Line, 'problem'>): string {
  return problem === 'too long' ? `is longer than ${limits.maxV1LineBytes} bytes` : 'is not UTF-8';
}

function decoded(decoder: TextDecoder, bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
