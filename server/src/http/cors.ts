// CORS. The API uses tokens and no cookies, so any origin may read responses; the guard enforces an app's allowed origins
// on the actual request.
import type { NextFunction, Request, Response } from 'express';

const allowedHeaders =
  'Authorization, X-App-Key, Content-Type, If-Match, If-None-Match, Range, If-Range, Idempotency-Key, X-Client-Device, X-Client-Version, X-Code-Flow, X-Device-Token, traceparent, tracestate';
/**
 * Tracing scripts add headers of their own (`baggage`, `sentry-trace`, `x-datadog-…`), and a page whose preflight does not allow
 * them can call nothing. They are ignored here and carry no cookies, so those that the page names are allowed too, except the
 * ones by which proxies say who calls and for what. A `*` would allow those, too.
 */
const headerName = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const ofProxies =
  /^(?:x-)?forwarded|^x-(?:original|rewrite|http-method|remote|method|envoy-external)|(?:real|client|connecting|user)-?ip$|client-cert/;
const maxRequestedHeaders = 50;

export const exposedHeaders =
  'ETag, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy, WWW-Authenticate, Location, Content-Range, Accept-Ranges, Content-Disposition, Sunset, Link, Deprecation, Idempotent-Replayed, X-Code-Flow, X-Device-Token';
const preflightSeconds = 7_200;

export function cors(req: Request, res: Response, next: NextFunction) {
  res.setHeader('Access-Control-Allow-Origin', '*');
  if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) {
    res.setHeader('Access-Control-Expose-Headers', exposedHeaders);
    return next();
  }
  res.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE');
  res.setHeader('Access-Control-Allow-Headers', allowedFor(req.headers['access-control-request-headers']));
  res.vary('Access-Control-Request-Headers');
  res.setHeader('Access-Control-Max-Age', String(preflightSeconds));
  res.status(204).end();
}

function allowedFor(requested = ''): string {
  const names = requested
    .split(',')
    .slice(0, maxRequestedHeaders)
    .map((name) => name.trim().toLowerCase());
  const others = names.filter(
    (name) => headerName.test(name) && name !== '*' && !ofProxies.test(name) && !alwaysAllowed.has(name),
  );
  return [allowedHeaders, ...new Set(others)].join(', ');
}

const alwaysAllowed = new Set(allowedHeaders.toLowerCase().split(', '));
