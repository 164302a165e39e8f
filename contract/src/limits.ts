// The numbers promised to clients: specification "Limits" and the conventions of the API. Units stand last in the name.

export const minPasswordCharacters = 8;
export const maxPasswordBytes = 1_024;
export const maxEmailCharacters = 254;
export const maxNameCharacters = 100;
export const maxUrlCharacters = 2_048;
/** Of tokens that the service makes: a JWT carries the custom claims, a refresh token nothing. */
export const maxAccessTokenCharacters = 8_192;
export const maxRefreshTokenCharacters = 512;
/** The longest cursor is that of a query, which holds the values of its last record. */
export const maxCursorCharacters = 20_000;
/** What a client says of its device, and what is recognised of it. */
export const maxDeviceTextCharacters = 100;
/** Of an IPv4 or IPv6 address as text. */
export const maxIpAddressCharacters = 45;
/** Of a word or sentence about what went wrong at a receiver or a push provider. */
export const maxFailureCharacters = 1_000;
/** Node accepts 16 KiB of headers; no single one that the service reads is longer than this. */
export const maxHeaderCharacters = 8_192;

export const maxMemberIdCharacters = 64;
/** Of the custom claims as JSON: they travel with every call of the user. */
export const maxClaimsBytes = 1_000;

export const accessTokenSeconds = { min: 300, default: 3_600, max: 86_400 } as const;
export const refreshIdleDays = 90;
export const refreshReuseSeconds = 30;
/** Refreshes of one session inside the reuse window; one more answers `request/rate-limited`. */
export const refreshesPerReuseWindow = 64;
export const liveSessionsPerUser = 100;
/** The rows of a user's ended sessions that are kept, the newest first; a few more may be there for a while. */
export const endedSessionsPerUser = 200;

export const codeDigits = 6;
export const codeSeconds = 600;
export const codeGuesses = 5;
/** How long a device stays known to the account that signed in on it. */
export const deviceTokenDays = 90;
/** 128 random bits in base64url. */
export const codeFlowPattern = /^fl_[A-Za-z0-9_-]{21}[AQgw]$/;
/**
 * Codes of one purpose that an email or user may have at a time. Above it nothing is mailed: a code is never pushed out
 * before it expires. The mail limits end long before.
 */
export const liveCodes = 64;
/** An accepted ID token of a provider works again for this long (a retry), then never. */
export const idTokenRetrySeconds = 300;
/** The greatest age, by its `iat`, at which a provider's ID token is accepted. */
export const maxIdTokenAgeSeconds = 3_600;
/** How far a provider's clock may be ahead of the service's. */
export const idTokenClockSeconds = 60;
/** The hexadecimal characters of a v1 token, how long it lives without use, and how many a user has at most. */
export const v1TokenCharacters = 64;
export const v1TokenIdleDays = 90;
export const v1TokensPerUser = 100;
/** Of an import from v1: the work of a password's hash, a line of the file, and a numeric id, above which new ones begin. */
export const importedBcryptCost = { min: 4, max: 14 } as const;
export const maxV1LineBytes = 4 * 1_024 * 1_024;
export const maxImportedV1Id = 2_000_000_000;
/** The age of the sign-in that sensitive calls demand; an app setting. */
export const recentSignInMinutes = { min: 1, default: 5, max: 60 } as const;

export const maxPushTokenCharacters = 4_096;
/** The devices a user may have linked; a further one unlinks the one that was registered longest ago. */
export const pushDevicesPerUser = 100;
export const pushTopicsPerDevice = 2_000;
export const maxTopicCharacters = 100;
/** Users or devices that one message may name. */
export const pushTargets = 1_000;
/** Of `notification` and `data` as JSON in UTF-8: what every provider carries with our own additions. */
export const pushPayloadBytes = 3_500;
/** The longest that a provider keeps a message for a device it cannot reach: 28 days. */
export const maxPushTtlSeconds = 28 * 86_400;
export const pushMessageDays = 30;
/** A device that was not registered again for so long is forgotten; one whose token is invalid goes sooner. */
export const pushDeviceIdleDays = 270;
export const pushInvalidDeviceDays = 30;
export const maxIdempotencyKeyCharacters = 255;
/** How long an answer is kept for repetitions of its request. */
export const idempotencyHours = 24;

/** No balance is greater and none below zero, and no entry adds or takes more: sums stay far inside a 32-bit integer. */
export const maxPoints = 1_000_000_000;
export const maxPointsDescriptionCharacters = 255;
export const maxPointsReferenceCharacters = 255;
export const tiers = { min: 1, max: 50 } as const;
export const maxTierCharacters = 100;

/** The size of one file, and of all files of one user; app settings. */
export const fileBytes = { min: 1, default: 25 * 1_024 * 1_024, max: 1_024 * 1_024 * 1_024 } as const;
export const userFileBytes = { min: 0, default: 500 * 1_024 * 1_024, max: 1_024 ** 4 } as const;
export const maxAllowedFileTypes = 100;
export const maxFileNameCharacters = 255;
export const fileVisibilities = ['private', 'public'] as const;
/** What a browser may show; anything else, SVG, HTML and PDF before all, is saved. Sound and film by their first word. */
export const shownFileTypes = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'audio/*',
  'video/*',
] as const;
/** How long an address of a file's bytes works. */
export const fileUrlSeconds = { min: 1, default: 900, max: 604_800 } as const;
/** An upload may take this long as a whole, and may stand still for as long as any other request may take. */
export const uploadSeconds = 600;

export const maxConfigParameters = 500;
/** Of all names, values (as `GET /config` delivers them) and descriptions of a version together. */
export const maxConfigCharacters = 1_000_000;
export const maxConfigNameCharacters = 256;
export const maxConfigDescriptionCharacters = 1_000;
export const configVersionsKept = 300;
export const configBodyBytes = 1_024 * 1_024;

export const bodyBytes = 100 * 1_024;
/** Values in the JSON of a body: texts, numbers, objects and all else, at every level. */
export const bodyValues = 2_500;
/** The same for bodies of many users or parameters, which only backends send. */
export const backendBodyValues = 50_000;
/** Of these values, those that have a key: a new key costs ten times as much to parse as an item of a list. */
export const backendBodyKeys = 20_000;
/** Levels of objects and arrays in the JSON of any body. */
export const bodyLevels = 100;
export const dataBodyBytes = Math.floor(1.1 * 1_024 * 1_024);
export const pageItems = { default: 25, max: 100 } as const;
export const userPageItems = { default: 25, max: 500 } as const;
export const userSearchCharacters = { min: 2, max: 100 } as const;
/** Longest search for the users of a page, where filters do not go together in an index. */
export const userQuerySeconds = 5;
export const importedUsers = 1_000;
export const importBodyBytes = 1_024 * 1_024;

export const webhooksPerApp = 10;
export const webhookDescriptionCharacters = 255;
/** How long after the attempt before it each attempt of a delivery comes, give or take the jitter. */
export const webhookDelaySeconds = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;
export const webhookJitter = 0.1;
/** For an attempt, from the look-up of the name to the last byte of the answer. */
export const webhookTimeoutSeconds = 15;
/** Without a success for so long, a webhook is disabled. */
export const webhookFailingDays = 5;
/** How long a secret signs beside the one that took its place. */
export const webhookSecretOverlapHours = 24;
/** A replay waits while its webhook has so many deliveries pending. */
export const webhookReplayPending = 1_000;
/** How long entries of the audit log are kept; those that only count calls of nobody in particular go sooner. */
export const auditDays = 400;
export const countedAuditDays = 30;
/** Events, and what became of them. */
export const eventDays = 30;
/** How long events of an account's deletion keep the last known user: longer than any delivery is tried by itself. */
export const deletedEventDays = 4;
/** A record's fields, measured as compact JSON in UTF-8. */
export const recordBytes = 1_024 * 1_024;
/** Levels of objects and arrays, the fields themselves being the first. */
export const recordDepth = 20;
/** Keys of a record's objects at all levels together. */
export const recordKeys = 2_000;
/** Values of a record at all levels together: texts, numbers, objects, arrays and their items. */
export const recordValues = 20_000;
/** A page of records ends, however many are asked for, with the one that makes it this large. */
export const recordPageBytes = 1_024 * 1_024;
export const maxKeyCharacters = 256;
/** The collections of an app; an app setting. */
export const collectionsPerApp = { min: 1, default: 100, max: 1_000 } as const;
export const indexedFieldsPerCollection = 10;
export const queryItems = { default: 25, max: 500 } as const;
export const conditionsPerQuery = 20;
export const ordersPerQuery = 4;
export const valuesPerCondition = 30;
/** A query that has not found what it was asked for by then is given up. */
export const querySeconds = 5;
export const maxFieldPathCharacters = 1_024;

/** Passwords of one app and network that may wait to be hashed, and of them those that are hashed with bcrypt. */
export const waitingPasswords = { perNetwork: 8, bcryptPerNetwork: 1 } as const;

/** How a request is counted: the policy's key, how many calls, in how many seconds. */
export const rateLimits = {
  'auth-ip': { limit: 60, windowSeconds: 60 },
  'auth-failures-email-ip': { limit: 10, windowSeconds: 900 },
  'auth-failures-email': { limit: 50, windowSeconds: 900 },
  'code-failures-email-ip': { limit: 10, windowSeconds: 900 },
  'code-failures-email': { limit: 50, windowSeconds: 900 },
  'auth-failures-device': { limit: 10, windowSeconds: 900 },
  'auth-failures-user': { limit: 10, windowSeconds: 900 },
  'exchange-ip': { limit: 600, windowSeconds: 60 },
  'code-send-email-ip-pause': { limit: 1, windowSeconds: 30 },
  'code-send-email-ip': { limit: 5, windowSeconds: 3_600 },
  'code-send-email-ip-day': { limit: 5, windowSeconds: 86_400 },
  'code-send-email': { limit: 30, windowSeconds: 86_400 },
  'code-send-email-slow': { limit: 1, windowSeconds: 600 },
  'notice-email': { limit: 5, windowSeconds: 3_600 },
  'code-send-ip': { limit: 60, windowSeconds: 3_600 },
  'invalid-credential-ip': { limit: 300, windowSeconds: 60 },
  'refresh-session': { limit: 120, windowSeconds: 300 },
  client: { limit: 300, windowSeconds: 60 },
  upload: { limit: 30, windowSeconds: 60 },
  admin: { limit: 1_000, windowSeconds: 60 },
  'push-send': { limit: 60, windowSeconds: 60 },
} as const;

/** What all callers of an app together may do in an hour; app settings. */
export const signUpsPerHour = { min: 1, default: 1_000, max: 1_000_000 } as const;
export const mailsToStrangersPerHour = { min: 1, default: 1_000, max: 1_000_000 } as const;

/**
 * IPv6 addresses are counted by their /64, /56 and /48 at once, each with this many times the limit of the one before. A
 * policy's limit is that of an IPv4 address, and of a /64.
 */
export const widerNetworkFactor = 4;

/** The name of a rate limit policy, as it appears in the `RateLimit-Policy` header. */
export type RateLimitPolicy = keyof typeof rateLimits;
