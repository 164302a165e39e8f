// CORS. The API uses tokens and no cookies, so any origin may read responses; the guard enforces an app's allowed origins
// on the actual request.
import type { NextFunction, Request, Response } from 'express';

const allowedHeaders =
  'Authorization, X-App-Key, Content-Type, If-Match, If-None-Match, Range, If-Range, Idempotency-Key, X-Client-Device, X-Client-Version, X-Code-Flow, X-Device-Token, traceparent, tracestate';
const exposedHeaders =
  'ETag, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy, WWW-Authenticate, Location, Content-Range, Accept-Ranges, Content-Disposition, Sunset, Link, Deprecation, Idempotent-Replayed, X-Code-Flow, X-Device-Token';
const preflightSeconds = 7_200;

export function cors(req: Request, res: Response, next: NextFunction) {
  res.setHeader('Access-Control-Allow-Origin', '*');
  if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) {
    res.setHeader('Access-Control-Expose-Headers', exposedHeaders);
    return next();
  }
  res.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE');
  res.setHeader('Access-Control-Allow-Headers', allowedHeaders);
  res.setHeader('Access-Control-Max-Age', String(preflightSeconds));
  res.status(204).end();
}
