// The limits promised to clients. A name ends in its unit.

export * from './provider-limits.js';

export const minPasswordCharacters = 8;
export const maxPasswordBytes = 1_024;
export const maxEmailCharacters = 254;
export const maxNameCharacters = 100;
export const maxUrlCharacters = 2_048;
/**
 * The longest tokens that the service issues: an access token contains the custom claims, a refresh token contains no
 * data.
 */
export const maxAccessTokenCharacters = 8_192;
export const maxRefreshTokenCharacters = 512;
export const maxCursorCharacters = 1_024;
/** The cursor of a query over records contains values of the last record. */
export const maxQueryCursorCharacters = 20_000;
/**
 * The longest device name and version that a client sends, and the longest text that is parsed from its `User-Agent`.
 */
export const maxDeviceTextCharacters = 100;
/** The longest text form of an IPv4 or IPv6 address. */
export const maxIpAddressCharacters = 45;
/** The part of a webhook receiver's response that is stored, as text. */
export const webhookResponseCharacters = 1_000;
/** The longest error message that is stored from a webhook receiver or a push provider. */
export const maxFailureCharacters = 1_000;
/** Node accepts 16 KiB of headers in total; this is the maximum for a single header that the service reads. */
export const maxHeaderCharacters = 8_192;

export const maxMemberIdCharacters = 64;
/** The size of the custom claims as JSON, which every access token of the user contains. */
export const maxClaimsBytes = 1_000;

export const accessTokenSeconds = { min: 300, default: 3_600, max: 86_400 } as const;
export const refreshIdleDays = 90;
/** Released SDKs repeat a refresh for 28 seconds (sdk/src/session/recovery.ts): a shorter window would end their sessions. */
export const refreshReuseSeconds = 30;
/** The refreshes of one session within the reuse window; the next returns `request/rate-limited`. */
export const refreshesPerReuseWindow = 64;
export const liveSessionsPerUser = 100;
/** The rows of ended sessions stored per user, newest first; a few more may exist temporarily. */
export const endedSessionsPerUser = 200;

export const codeDigits = 6;
export const codeSeconds = 600;
export const codeGuesses = 5;
/** How long a sign-in, or the enrolment of an authenticator app, waits for its second step. */
export const secondFactorSeconds = 600;
/** The wrong proofs of a second factor: for one ticket, and of one user within the window. */
export const secondFactorGuesses = { perTicket: 5, perUser: 10, windowSeconds: 900 } as const;
/** The codes of an authenticator app (RFC 6238, SHA-1), and the steps by which its clock may be off in either direction. */
export const totp = { digits: 6, stepSeconds: 30, stepsAround: 1 } as const;
export const recoveryCodes = 10;
export const recoveryCodeCharacters = 10;
/** The longest ticket for a second step. */
export const maxTicketCharacters = 1_000;
/** How long a device token marks a device as known to its account. */
export const deviceTokenDays = 90;
/** 128 random bits in base64url. */
export const codeFlowPattern = /^fl_[A-Za-z0-9_-]{21}[AQgw]$/;
/**
 * The valid codes of one purpose that an email or user may have at a time. Above it no code is emailed, so that no code
 * is replaced before it expires. The limits on mail take effect well before.
 */
export const liveCodes = 64;
/** The passkeys of one user, the lifetime of a challenge for one, and the origins where an app uses them. */
export const passkeysPerUser = 20;
export const passkeyChallengeSeconds = 300;
export const passkeyOrigins = 50;
export const maxPasskeyNameCharacters = 100;
/** The length of a v1 token in hexadecimal characters, its lifetime without use, and the maximum per user. */
export const v1TokenCharacters = 64;
export const v1TokenIdleDays = 90;
export const v1TokensPerUser = 100;
/**
 * The limits of an import from v1: the cost of a bcrypt hash, the size of a line, and the highest numeric id; new ids
 * start above it.
 */
export const importedBcryptCost = { min: 4, max: 14 } as const;
export const maxV1LineBytes = 4 * 1_024 * 1_024;
export const maxImportedV1Id = 2_000_000_000;
/** The maximum age of the sign-in that sensitive calls require; an app setting. */
export const recentSignInMinutes = { min: 1, default: 5, max: 60 } as const;

export const maxPushTokenCharacters = 4_096;
/** The maximum number of devices linked to a user; linking another unlinks the one registered least recently. */
export const pushDevicesPerUser = 100;
export const pushTopicsPerDevice = 2_000;
export const maxTopicCharacters = 100;
/** The maximum number of users or devices that one message may target. */
export const pushTargets = 1_000;
export const maxPushTitleCharacters = 1_000;
export const maxPushBodyCharacters = 4_000;
export const maxCollapseKeyCharacters = 64;
export const maxPushSoundCharacters = 64;
/** The highest number that a message may put on the icon of an app. */
export const maxPushBadge = 1_000_000;
/**
 * The size of `notification` and `data` as JSON in UTF-8. It is within the limits of every provider, including the
 * service's own additions.
 */
export const pushPayloadBytes = 3_500;
/** The longest time that a provider stores a message for an unreachable device: 28 days. */
export const maxPushTtlSeconds = 28 * 86_400;
export const pushMessageDays = 30;
/** How far ahead a message can be scheduled. */
export const pushAheadDays = 30;
export const scheduledPushMessages = 1_000;
/** The subscriptions of a topic are counted up to this number. */
export const countedTopicDevices = 2_000;
/**
 * A device is deleted when it has not been registered for this long, or for a shorter time if its token is invalid.
 */
export const pushDeviceIdleDays = 270;
/** A device without a user and without topics is deleted if it was never registered again. */
export const pushUnusedDeviceDays = 60;
/** A device without a user counts once for each of so many bytes of its token. */
export const pushTokenUnitBytes = 512;
/** What a network may still register in a day when the devices without a user of an app have reached their total. */
export const pushDevicesBeyondTotal = 10;
export const pushInvalidDeviceDays = 30;
/**
 * A Web Push device becomes invalid when its endpoint has not answered this many messages in a row, the first of them
 * at least this long ago: an outage of a push service does not end the devices of its users.
 */
export const pushUnansweredMessages = 3;
export const pushUnansweredHours = 24;
export const maxIdempotencyKeyCharacters = 255;
/** How long a response is stored for requests with the same idempotency key. */
export const idempotencyHours = 24;

/** The maximum of a balance, and of the points that one entry adds or deducts: sums stay within a 32-bit integer. */
export const maxPoints = 1_000_000_000;
export const maxPointsDescriptionCharacters = 255;
export const maxPointsReferenceCharacters = 255;
export const tiers = { min: 1, max: 50 } as const;
export const maxTierCharacters = 100;

/** How long an invitation, or the link that creates the first owner, can be accepted. */
export const invitationHours = { member: 7 * 24, firstOwner: 24 } as const;
/** Members and pending invitations of one app. */
export const membersPerApp = 200;
export const maxAppNameCharacters = 100;
/** The languages in which an app may have its own text for mails of one purpose. */
export const languagesPerMail = 50;
/** How long clients may use `GET /auth/methods` without asking again. */
export const methodsCacheSeconds = 60;
export const maxSlugCharacters = 63;
/** The number of keys that are neither revoked nor expired. */
export const secretKeysPerApp = 100;
export const maxSecretKeyNameCharacters = 100;
/** The days that one call for statistics may cover, and for how long they are stored. */
export const statsDays = { default: 30, max: 400 } as const;
/** How far the users of an app are counted. */
export const statsUsers = 1_000_000;
/** The first day that a call may ask for. */
export const firstStatsDay = '2000-01-01';

/** The maximum size of one file, and of all files of one user; app settings. */
export const fileBytes = { min: 1, default: 25 * 1_024 * 1_024, max: 1_024 * 1_024 * 1_024 } as const;
export const userFileBytes = { min: 0, default: 500 * 1_024 * 1_024, max: 1_024 ** 4 } as const;
/** What a file counts in addition to its bytes: its row and block of the disk, so that empty files are limited, too. */
export const fileOverheadBytes = 4_096;
export const maxAllowedFileTypes = 100;
export const maxFileNameCharacters = 255;
export const fileVisibilities = ['private', 'public'] as const;
/**
 * The types that browsers display; all others are downloaded, in particular SVG, HTML and PDF. Audio and video match by
 * their top-level type.
 */
export const shownFileTypes = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'audio/*',
  'video/*',
] as const;
/** The lifetime of a signed file URL. */
export const fileUrlSeconds = { min: 1, default: 900, max: 604_800 } as const;
/** The maximum duration of an upload as a whole; its idle timeout is that of any other request. */
export const uploadSeconds = 600;

export const maxConfigParameters = 500;
/** The total length of all names, values (as `GET /config` returns them) and descriptions of a version. */
export const maxConfigCharacters = 1_000_000;
export const maxConfigNameCharacters = 256;
export const maxConfigDescriptionCharacters = 1_000;
export const configNoteCharacters = 500;
/** The names of changed parameters that are stored with a version. */
export const changedConfigNames = 20;
export const configVersionsKept = 300;
export const configBodyBytes = 1_024 * 1_024;

/** The longest file of an app: its YAML, whose indentation may multiply the characters of the remote config. */
export const maxAppFileCharacters = 8_000_000;

export const bodyBytes = 100 * 1_024;
/** Values in the JSON of a body: strings, numbers, objects and all others, at every level. */
export const bodyValues = 2_500;
/** The same for bodies with many users or parameters, which only backends send. */
export const backendBodyValues = 50_000;
/**
 * The part of these values that may have a key: parsing a new key costs ten times as much as parsing an array item.
 */
export const backendBodyKeys = 20_000;
/** The nesting depth of objects and arrays in the JSON of any body. */
export const bodyLevels = 100;
export const dataBodyBytes = Math.floor(1.1 * 1_024 * 1_024);
export const pageItems = { default: 25, max: 100 } as const;
export const userPageItems = { default: 25, max: 500 } as const;
/** The most users that a list can be asked for by uid. */
export const listedUids = 100;
export const userSearchCharacters = { min: 2, max: 100 } as const;
/** The maximum duration of a query over users, where no single index covers the combination of filters. */
export const userQuerySeconds = 5;
/**
 * How long a call that changes data, a page of a list or an import waits while others of its user, network or app run; then it
 * is answered `request/unavailable`.
 */
export const turnSeconds = 5;
export const importedUsers = 1_000;
/** The notes of the team on one user, the oldest of which make room, and their length. */
export const notesPerUser = 200;
export const userNoteCharacters = 2_000;
/** What the state of a user's sign-in shows at most. */
export const signInLimitsShown = 100;
export const shownRefusedTokens = 5;
/** The longest message about one user that was not imported. */
export const maxImportMessageCharacters = 1_000;
/** How long the export of a user's data is stored, and the pause between two requests of the user. */
export const userExportDays = 7;
export const userExportPauseHours = 24;
export const importBodyBytes = 1_024 * 1_024;

export const webhooksPerApp = 10;
export const webhookDescriptionCharacters = 255;
/** The delay of each delivery attempt after the previous one, before jitter. */
export const webhookDelaySeconds = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;
export const webhookJitter = 0.1;
/** The timeout of an attempt, from the DNS lookup to the last byte of the response. */
export const webhookTimeoutSeconds = 15;
/** A webhook is disabled when no delivery has succeeded for this long. */
export const webhookFailingDays = 5;
/** How long the previous secret continues to sign after a rotation. */
export const webhookSecretOverlapHours = 24;
/** A replay pauses while its webhook has this many pending deliveries. */
export const webhookReplayPending = 1_000;
/**
 * How long entries of the audit log are stored unless the operator sets AUDIT_DAYS; entries that only count anonymous calls
 * are deleted sooner.
 */
export const auditDays = 400;
/** The old and new values of one change that an audit entry stores, and the characters of each; the rest is cut. */
export const auditChanges = 50;
export const auditValueCharacters = 200;
export const countedAuditDays = 30;
/** How long events and their deliveries are stored. */
export const eventDays = 30;
/**
 * How long the events of a deleted account contain the last state of the user: longer than the retries of any delivery.
 */
export const deletedEventDays = 4;
/** The size of the fields of a record, as compact JSON in UTF-8. `dataBodyBytes` must stay above it. */
export const recordBytes = 1_024 * 1_024;
/** What a record counts in addition to its fields: its row and index entries, so that empty records are limited, too. */
export const recordOverheadBytes = 512;
/** The maximum total size of the records that count against the quota of one user; an app setting. */
export const userDataBytes = { min: 0, default: 100 * 1_024 * 1_024, max: 1_024 ** 4 } as const;
/** The nesting depth of objects and arrays; the fields themselves are the first level. */
export const recordDepth = 20;
/** Keys of the objects of a record, at all levels together. */
export const recordKeys = 2_000;
/** Values of a record, at all levels together: strings, numbers, objects, arrays and their items. */
export const recordValues = 20_000;
/** A page of records ends with the record that reaches this size, regardless of the requested number. */
export const recordPageBytes = 1_024 * 1_024;
export const maxKeyCharacters = 256;
/** The maximum number of collections of an app; an app setting. */
export const collectionsPerApp = { min: 1, default: 100, max: 1_000 } as const;
export const indexedFieldsPerCollection = 10;
export const queryItems = { default: 25, max: 500 } as const;
export const conditionsPerQuery = 20;
export const ordersPerQuery = 4;
export const valuesPerCondition = 30;
/** The timeout of a query. */
export const querySeconds = 5;
export const maxFieldPathCharacters = 1_024;

/**
 * The passwords of one app and network that may wait to be hashed, and the rounds of those with bcrypt: one of a cost of 12
 * or more, or four of cost 10. All networks together share so many waiting jobs of the highest cost.
 */
export const waitingPasswords = {
  perNetwork: 8,
  bcryptRoundsPerNetwork: 2 ** 12,
  costliestBcryptJobs: 8,
} as const;

/** The rate limits: the key of the policy, the number of calls, and the window in seconds. */
export const rateLimits = {
  'auth-ip': { limit: 60, windowSeconds: 60 },
  'auth-failures-email-ip': { limit: 10, windowSeconds: 900 },
  'auth-failures-email': { limit: 50, windowSeconds: 900 },
  'code-failures-email-ip': { limit: 10, windowSeconds: 900 },
  'code-failures-email': { limit: 50, windowSeconds: 900 },
  'code-guesses-email-day': { limit: 100, windowSeconds: 86_400 },
  'auth-failures-device': { limit: 10, windowSeconds: 900 },
  'auth-failures-user': { limit: 10, windowSeconds: 900 },
  'exchange-ip': { limit: 600, windowSeconds: 60 },
  'code-send-email-ip-pause': { limit: 1, windowSeconds: 30 },
  'code-send-email-ip': { limit: 5, windowSeconds: 3_600 },
  'code-send-email-ip-day': { limit: 5, windowSeconds: 86_400 },
  'code-send-email': { limit: 30, windowSeconds: 86_400 },
  'code-send-email-slow': { limit: 1, windowSeconds: 600 },
  'notice-email': { limit: 5, windowSeconds: 3_600 },
  'notice-app': { limit: 500, windowSeconds: 3_600 },
  'code-send-ip': { limit: 60, windowSeconds: 3_600 },
  'invalid-credential-ip': { limit: 300, windowSeconds: 60 },
  'refresh-session': { limit: 120, windowSeconds: 300 },
  client: { limit: 300, windowSeconds: 60 },
  'new-device': { limit: 300, windowSeconds: 3_600 },
  'new-device-day': { limit: 1_000, windowSeconds: 86_400 },
  'new-devices-app': { limit: 50_000, windowSeconds: 86_400 },
  'new-topic': { limit: 1_500, windowSeconds: 3_600 },
  'profile-change': { limit: 60, windowSeconds: 3_600 },
  'record-kilobytes': { limit: 65_536, windowSeconds: 600 },
  'file-megabytes': { limit: 2_048, windowSeconds: 3_600 },
  upload: { limit: 30, windowSeconds: 60 },
  admin: { limit: 1_000, windowSeconds: 60 },
  'push-send': { limit: 60, windowSeconds: 60 },
  'provider-check': { limit: 30, windowSeconds: 60 },
  invitation: { limit: 30, windowSeconds: 3_600 },
  'invitation-day': { limit: 100, windowSeconds: 86_400 },
} as const;

/** The groups of policies. An app sets a factor for each group, by which the limits of its policies are multiplied. */
export const rateLimitGroups = {
  sign_in: [
    'auth-ip',
    'auth-failures-email-ip',
    'auth-failures-email',
    'auth-failures-device',
    'auth-failures-user',
    'exchange-ip',
    'invalid-credential-ip',
  ],
  codes: [
    'code-send-ip',
    'code-send-email-ip-pause',
    'code-send-email-ip',
    'code-send-email-ip-day',
    'code-send-email',
    'code-send-email-slow',
    'code-failures-email-ip',
    'code-failures-email',
    'code-guesses-email-day',
    'notice-email',
  ],
  refresh: ['refresh-session'],
  client: [
    'client',
    'new-device',
    'new-device-day',
    'new-devices-app',
    'new-topic',
    'profile-change',
    'record-kilobytes',
    'file-megabytes',
    'upload',
  ],
  backend: ['admin', 'push-send', 'provider-check', 'invitation', 'invitation-day', 'notice-app'],
} as const satisfies Record<string, readonly (keyof typeof rateLimits)[]>;
export const rateLimitFactor = { min: 0.001, default: 1, max: 1_000 } as const;

/** The hourly limits of an app for all callers together; app settings. */
export const signUpsPerHour = { min: 1, default: 1_000, max: 1_000_000 } as const;
export const mailsToStrangersPerHour = { min: 1, default: 1_000, max: 1_000_000 } as const;

/**
 * IPv6 addresses are counted by their /64, /56 and /48 at the same time; each prefix has this many times the limit of
 * the one before. The limit of a policy applies to an IPv4 address and to a /64.
 */
export const widerNetworkFactor = 4;

/**
 * How such an hourly limit is divided: an IPv4 address or a /64 has this part of it, an IPv4 /24 or a /56 four times as
 * much, a /48 sixteen times. Beyond the limit, networks that have used nothing are served in short windows, together at
 * this part of its rate.
 */
export const hourlyBudget = { shares: 64, slowFactor: 4, slowWindowSeconds: { min: 60, max: 600 } } as const;

/** The name of a rate limit policy, as it appears in the `RateLimit-Policy` header. */
export type RateLimitPolicy = keyof typeof rateLimits;
