// Imported before undici, for its effect. Whichever is loaded first, the package or the copy that is part of Node, serves the
// global `fetch`; and the package rejects the Content-Length header that Node 20's `fetch` passes on, with every upload to S3.

// Reading one of its classes loads Node's own copy.
void globalThis.Headers;

export {};
