// Several handlers as one. Express spends more time on each layer of a router than most of these handlers take.
import type { RequestHandler } from 'express';

/** Each handler runs once the one before it calls `next`; the first error skips the rest. */
export function inOrder(...handlers: RequestHandler[]): RequestHandler {
  return handlers.reduceRight((following, handler) => (req, res, next) => {
    handler(req, res, (error?: unknown) => {
      if (error) return next(error);
      try {
        following(req, res, next);
      } catch (thrown) {
        next(thrown);
      }
    });
  });
}
