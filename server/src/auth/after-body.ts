// A client may take half a minute to send its body, after the guard has run. A secret key that is revoked in between, or a
// member who is removed, must not complete the call: otherwise an admin could keep a call open that creates a secret key,
// and finish it after being removed. A call of an app that was disabled in between is refused, too. For users the operations
// themselves check that the session is live.
import type { RequestHandler } from 'express';

/** Reads the body, and authorizes the call again unless the body was complete before. */
export function authorizedAfter(readBody: RequestHandler): RequestHandler {
  return (req, res, next) => {
    const wasComplete = req.complete;
    readBody(req, res, (error?: unknown) => {
      // The body of an upload is read by its route. Public endpoints have no call.
      const isRead = req.complete && !wasComplete;
      if (error || !isRead || !req.call) next(error);
      else req.call.authorizeAgain().then(() => next(), next);
    });
  };
}
