// Every bound of this engine, so that they can be judged together. The comment of each says what it protects, or why not less.
import { limits } from '@foyer/contract';

export const bounds = {
  /** Connections of the process, which also needs file descriptors for files, the database, Redis and outgoing calls. */
  connections: {
    /** Each takes about ten kilobytes. */
    usual: 10_000,
    reservedDescriptors: 128,
    /** The part of all connections that one network can hold, however few others there are. */
    networkShare: 1 / 2,
    /** A /56 and a /48 may hold as many times what a /64 or an IPv4 address may: many customers share a /48. */
    networkWeights: [1, 4, 16],
    /** A client that does not close after a refusal is disconnected. */
    lingerMilliseconds: 1_000,
  },

  /** Requests of one connection. */
  pipelined: { unfinished: 16, waiting: 240 },

  /** Time to send a request and to read an answer. Progress counts in ticks of a second, and per tick on average. */
  time: {
    headMilliseconds: 10_000,
    /** The time is longer than that of most proxies, so that the proxy closes idle connections first. */
    keepAliveMilliseconds: 75_000,
    /** For proxies of `trust proxy`: the load balancers of Google send requests on a connection that was idle for 600 seconds. */
    proxyKeepAliveMilliseconds: 620_000,
    uploadMilliseconds: limits.uploadSeconds * 1_000,
    tickMilliseconds: 1_000,
    arrivalTicks: 30,
    sendingTicks: 60,
    /** Less than the slowest mobile networks transfer. */
    leastBytes: 1_024,
  },

  /** Chunks of a body: each that is held costs about 200 bytes of heap besides its own. */
  chunks: {
    /** The number of chunks of any size in a body. */
    uncounted: 2_000,
    /** The average size of further chunks. */
    meanBytes: 64,
  },

  /** Memory of the bodies and large answers of all requests together. */
  memory: {
    /** Smaller requests and responses are not counted, so that sign-in works while large requests are refused. */
    uncountedBytes: 16 * 1_024,
    /** Parsed JSON of many small values takes more than ten times its bytes in the heap. */
    heapShare: 1 / 16,
    /** The share of one network still fits the largest page of records and the largest body. */
    leastBytes: 16 * 1_024 * 1_024,
    /** Parts of uploads, outside the heap, where the files are in S3. One network may hold twelve parts. */
    uploadBytes: 256 * 1_024 * 1_024,
    /**
     * The most that one network may hold, as a share of what then remains free, for a /64 or an IPv4 address, a /56 and a /48: a
     * quarter, a third and a half of the budget if it is the only one. With fixed shares, a few networks could use up the budget
     * for all others, and without those of wide networks, the 65,536 of one host.
     */
    sharesOfFree: [1 / 3, 1 / 2, 1],
  },

  /** The form of an upload, besides its file. */
  form: {
    overheadBytes: 64 * 1_024,
    parts: { fieldSize: 1_024, fields: 100, files: 100, parts: 200 },
  },
};
