// Limits the number of chunks in which a body arrives. Each chunk that is held costs about 200 bytes of heap besides its
// own, so that a body of one-byte chunks would take 200 times the memory that the byte budget counts for it.
import { IncomingMessage, type Server } from 'node:http';
import type { Request } from 'express';
import { bounds } from './bounds.js';
import { refuse } from './broken-request.js';

type Body = Request & { chunks?: number; chunkBytes?: number };

/** `prototype`: the request prototype of the server. */
export function limitSmallChunks(prototype: IncomingMessage, server: Server): void {
  const { push } = IncomingMessage.prototype;
  // Node passes each chunk of a body to `push`, and null at its end. Discarded bodies do not pass here.
  prototype.push = function limitedPush(
    this: Body,
    chunk: Buffer | null,
    encoding?: BufferEncoding,
  ): boolean {
    if (chunk === null) return push.call(this, chunk, encoding);
    const { chunks = 0, chunkBytes = 0 } = this;
    // Refused: chunks that arrive before the connection closes are dropped.
    if (chunks === Number.POSITIVE_INFINITY) return true;
    this.chunks = chunks + 1;
    this.chunkBytes = chunkBytes + chunk.length;
    if (this.chunks <= bounds.chunks.uncounted + this.chunkBytes / bounds.chunks.meanBytes) {
      return push.call(this, chunk, encoding);
    }
    this.chunks = Number.POSITIVE_INFINITY;
    if (this.res?.headersSent) this.socket.destroy();
    else refuse(server, this.socket, 'ERR_SMALL_CHUNKS');
    return true;
  };
}
