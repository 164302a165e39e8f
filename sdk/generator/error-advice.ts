// What an app does about each error code, for docs/errors.md. A code of the contract without advice does not compile.
import type { ErrorCode } from '@foyer/contract';
import type { ClientCode } from '../src/errors.js';

/** The codes of the SDK itself: what each means, and what to do. */
export const clientCodes: Record<ClientCode, { message: string; advice: string }> = {
  'client/network': {
    message: 'There is no response: the device is offline, or the service cannot be reached.',
    advice:
      'Say that the user is offline, and offer to try again. The session remains. Calls that are safe to repeat were already retried.',
  },
  'client/timeout': {
    message: 'There is no response within `timeoutMs`.',
    advice:
      'As `client/network`. The service may have processed the request: a code or a proof of a provider may be used up.',
  },
  'client/aborted': {
    message: 'The `signal` of the call was aborted, or the client was disposed of.',
    advice: 'Ignore it. The service may have processed the request.',
  },
  'client/bad-response': {
    message: "The response is not the service's: a proxy's page, or a wrong `baseUrl`.",
    advice: 'As `client/network`. If it happens to every call, correct `baseUrl`.',
  },
  'client/storage-unavailable': {
    message: 'The token storage cannot be read or written, for example while a device is locked.',
    advice:
      'Try again when the app is in the foreground. Do not show the sign-in screen: the session remains.',
  },
  'client/signed-out': {
    message: 'The call requires a signed-in user.',
    advice: 'Show the sign-in screen.',
  },
  'client/passkey-cancelled': {
    message:
      'The user closed the dialog for the passkey, took too long, or has no passkey here; browsers do not say which.',
    advice: 'Offer the other ways to sign in. Show no error.',
  },
  'client/passkey-unsupported': {
    message: 'The browser or device has no passkeys, or not in this form.',
    advice: 'Hide the button: `isAvailable()` tells in advance.',
  },
  'client/passkey-wrong-domain': {
    message: 'The page or app does not belong to the domain of the passkeys (`passkeys.rp_id` of the app).',
    advice:
      'Correct the setting, or serve the page from that domain; in an app, publish the `.well-known` files.',
  },
  'client/passkey-failed': {
    message: 'The authenticator or password manager failed; `cause` has its error.',
    advice: 'Offer to try again, and the other ways to sign in.',
  },
  'client/invalid-argument': {
    message: 'An argument is missing, unknown or invalid; `message` names it. Nothing was sent.',
    advice: 'Correct the program.',
  },
};

const correctProgram = 'Correct the program.';
const showFields = 'Show the message of each field in `fields` next to its input.';
const tryLater = 'Try again later.';
const correctId = 'Read the list again: it may have been deleted.';
const readAgain = 'Read it again, apply the change to what was read, and retry.';
const newCode =
  'Let the user enter the code again, or request a new one. If the response to an earlier attempt was lost, the code is used up.';
const askOwner = 'Ask an owner of the app.';

export const advice: Record<ErrorCode, string> = {
  'request/invalid-app-key': 'Correct `appKey`. The dashboard shows it on the page Keys.',
  'request/origin-not-allowed': "Add the page's origin to the setting `allowed_origins`.",
  'request/malformed-json': correctProgram,
  'request/malformed-http': correctProgram,
  'request/timeout':
    'Try again; the connection was too slow. Calls that are safe to repeat were already retried.',
  'request/validation-failed': showFields,
  'request/unsupported-media-type': correctProgram,
  'request/too-large': 'Send less.',
  'request/not-found': 'Correct `baseUrl`, or update the service: it is older than the SDK.',
  'request/method-not-allowed': correctProgram,
  'request/precondition-required': 'Pass the version that you have read.',
  'request/rate-limited':
    'Wait `retryAfterMs`, then try again. For a form, say how long the user has to wait.',
  'request/idempotency-key-reused': 'Use a new key for each operation, and the same only to repeat it.',
  'request/idempotency-key-in-progress': 'Retry with the same key.',
  'request/internal-error': 'Try again later; report `requestId` to the operator of the service.',
  'request/unavailable': 'Wait `retryAfterMs`, then try again.',

  'auth/email-already-in-use': 'Offer to sign in, or to reset the password.',
  'auth/weak-password': 'Show `fields.password`, and let the user choose another password.',
  'auth/invalid-credential':
    'Say that the email or the password is wrong, without saying which. For a provider: start again with a new nonce. ' +
    'For a passkey: offer another way in.',
  'auth/user-disabled': 'Say that the account is disabled, and whom to ask.',
  'auth/invalid-token':
    'None in an app: the client refreshes the token, or signs out. For records without a signed-in user: let the user sign in. In a backend: answer 401.',
  'auth/token-expired': 'None in an app: the client refreshes the token. In a backend: answer 401.',
  'auth/refresh-token-revoked': 'None: the state becomes `signedOut`, with reason `revoked`.',
  'auth/invalid-code': newCode,
  'auth/code-expired': 'Request a new code.',
  'auth/requires-recent-login': 'Use `withRecentSignIn`, which asks for a credential and repeats the call.',
  'auth/email-required':
    'Ask the user to share a verified email with the app at the provider, or to sign in with another method.',
  'auth/operation-not-allowed': 'Enable the method in the settings, or remove its button.',
  'auth/account-exists-with-different-credential':
    'Let the user sign in with another method, then call `me.linkIdentity`.',
  'auth/credential-already-in-use': 'Say that the account belongs to another user of the app.',
  'auth/provider-already-linked': 'Unlink the present one first.',
  'auth/no-such-provider': 'Read `me.identities()` again.',
  'auth/user-cancelled': 'Show the ways to sign in again; the user knows why.',
  'auth/passkey-already-registered': 'Say that the device already has a passkey for the app.',
  'auth/too-many-passkeys': 'Let the user remove a passkey first.',
  'auth/passkey-not-found': 'Read the list of passkeys again.',
  'auth/last-sign-in-method': 'Let the user verify the email, or set a password, first.',
  'auth/second-factor-required':
    'Ask for a code of the authenticator app, and send it with `fields.ticket`; without a ticket, repeat the call with a code.',
  'auth/second-factor-not-enrolled': 'Read the factors again: there is none to change.',
  'auth/user-not-found':
    'Handle the user as deleted. If it exists in another app, use the secret key of that app.',
  'auth/session-not-found': 'Read `me.sessions()` again: the session has ended.',

  'data/collection-not-found': 'Create the collection, or correct its name.',
  'data/collection-exists': 'Choose another name.',
  'data/too-many-collections': 'Delete a collection, or raise the setting.',
  'data/collection-not-empty': "Delete the records first, or pass `records: 'delete'`.",
  'data/permission-denied': 'Change the access mode of the collection, or make the call from your backend.',
  'data/not-found': 'Handle it as deleted. `get` returns `null` instead.',
  'data/invalid-fields': showFields,
  'data/invalid-query': correctProgram,
  'data/query-timeout': 'Declare an index, or narrow the query. It is not retried.',
  'data/record-too-large': 'Store less, or a file.',
  'data/quota-exceeded': 'Let the user delete records, or raise the quota.',
  'data/precondition-failed': `${readAgain} \`update\` does it for you.`,

  'files/not-found': 'Handle it as deleted.',
  'files/missing-file': correctProgram,
  'files/too-large': 'Say how large a file may be.',
  'files/type-not-allowed': 'Say which types are allowed.',
  'files/quota-exceeded': 'Let the user delete files, or raise the quota.',
  'files/invalid-signature': 'Request a new URL with `url`.',
  'files/url-expired': 'Request a new URL with `url`.',
  'files/range-not-satisfiable': correctProgram,

  'push/device-not-found': 'Register the device again.',
  'push/invalid-token': 'Ask the provider for a new token.',
  'push/invalid-topic': correctProgram,
  'push/too-many-topics': 'Unsubscribe from a topic first.',
  'push/invalid-target': correctProgram,
  'push/payload-too-large': 'Send an id, and let the app fetch the rest.',
  'push/provider-not-configured': "Enter the provider's credentials in the settings.",
  'push/invalid-send-time': 'Schedule it later, or ask for an earlier time.',
  'push/too-many-scheduled': 'Cancel a scheduled message first, or wait until one is sent.',
  'push/not-scheduled': 'Read the message: its status says what became of it.',
  'push/message-not-found': 'Correct the id: messages are stored for a limited time.',

  'config/invalid-parameter': showFields,
  'config/version-conflict': readAgain,
  'config/version-not-found': 'Read the list of versions again.',

  'loyalty/insufficient-points': 'Say how many points the user has.',
  'loyalty/balance-too-high': 'Add fewer points.',
  'loyalty/reference-conflict': 'Use one reference for one entry.',

  'admin/invalid-secret-key': 'Correct `secretKey`, and keep it on the server.',
  'admin/insufficient-scope': 'Create a key with the scope.',
  'admin/member-id-already-in-use': 'Choose another member id.',
  'admin/claims-too-large': 'Put an id in the claims, and the rest in your database.',
  'admin/password-import-not-supported': 'Import the users without passwords.',
  'admin/query-timeout': 'Narrow the query. It is not retried.',
  'admin/reserved-claim': 'Choose another name.',
  'admin/secret-key-not-found': correctId,
  'admin/too-many-secret-keys': 'Revoke a key that is not used.',
  'admin/mail-not-configured': 'Let the operator of the service set `SMTP_URL`.',
  'admin/version-conflict': 'Compare the files with the app again, and apply what is still to change.',

  'webhooks/not-found': correctId,
  'webhooks/invalid-url': showFields,
  'webhooks/limit-reached': 'Delete a webhook that is not used.',
  'webhooks/replay-in-progress': tryLater,

  'console/required': correctProgram,
  'console/not-available': 'Use the app key of your app.',
  'console/insufficient-role': askOwner,
  'console/app-not-found': askOwner,
  'console/slug-taken': 'Choose another slug.',
  'console/invalid-invitation': 'Ask for a new invitation.',
  'console/invitation-not-found': correctId,
  'console/already-a-member': 'Change the role of the member instead.',
  'console/member-not-found': correctId,
  'console/too-many-members': 'Remove a member or an invitation first.',
  'console/last-owner': 'Make another member an owner first.',
};
