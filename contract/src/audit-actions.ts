// The catalogue of the audit log: every action an entry can have and what it means. An admin endpoint that changes
// something names its action in its metadata.

export const auditActions = {
  'app.created': 'The app was made, with its first secret key.',
  'app.renamed': 'The app got another name.',
  'app.disabled': 'The app was disabled: no call with its keys is answered.',
  'app.enabled': 'The app was enabled again.',
  'app.deleted': 'The deletion of the app began.',
  'settings.updated': 'Settings of the app were changed; `details.changed` names them.',
  'secret_key.created': 'A secret key was made.',
  'secret_key.revoked': 'A secret key was revoked.',
  'secret_key.refused':
    'A secret key was refused; `details.reason` says why: `in-browser` also where a page sent it to an endpoint that takes none. At most one entry for each key, reason and minute; unknown keys are counted by network.',
  'secrets.reencrypted':
    'Stored secrets were re-encrypted with the first key of `ENCRYPTION_KEYS`; `details.count` says how many.',
  'signing_keys.rotated': 'The keys that sign access tokens were rotated.',
  'user.created': 'The app’s backend made an account.',
  'user.updated': 'The app’s backend changed an account; `details.changed` names the fields.',
  'user.disabled': 'The app’s backend disabled an account; every session ended.',
  'user.enabled': 'The app’s backend enabled an account again.',
  'user.claims_set': 'The app’s backend set the custom claims of a user.',
  'user.sessions_revoked': 'The app’s backend ended every session of a user.',
  'session.revoked': 'The app’s backend ended one session of a user.',
  'users.imported':
    'The app’s backend imported users; `details` counts those that were made and that failed. The users have no entry of their own, so a search for one of them by `uid` does not find it.',
  'users.imported_from_v1':
    'An import of users from v1 was run on the command line; `details.lines` says how many lines the file had.',
  'user.signed_up': 'An account was made by its user, and signed in, but for accounts made by v1.',
  'user.signed_in': 'A user signed in; `details.method` says how.',
  'user.sign_in_failed':
    'A sign-in failed; the target is the account, or the app where there is none, whose failures are counted by network. The email is never kept.',
  'user.guesses_limited':
    'Passwords, codes or tokens were tried more often than a rate limit allows, and refused unjudged. At most one entry a minute for each account, or for each network where the limit is the app’s by address; that one’s target is the app, and `details.count` says how many.',
  'user.mails_slowed':
    'As many codes of one kind were mailed to one email as a day allows; further ones are mailed once in ten minutes. The target is the account, or the app where there is none. One entry a day for each email and kind.',
  'app.limit_reached':
    'As many accounts were made, or codes mailed to emails without an account, as the app allows in an hour; `details.limit` names the setting. One entry an hour.',
  'user.signed_out': 'A user signed out on one device.',
  'user.signed_out_everywhere': 'A user signed out on every device.',
  'session.ended': 'A user ended a session from the list of devices.',
  'session.refresh_reuse': 'A refresh token was used again after it was spent, and its session ended.',
  'user.reauthenticated': 'A signed-in user proved once more who they are; `details.method` says how.',
  'user.reauthentication_failed': 'A signed-in user failed to prove who they are.',
  'user.password_reset': 'A password was set with a mailed code; every session ended.',
  'user.password_reset_failed': 'A password reset failed for its code.',
  'user.password_changed': 'A user changed or set the own password.',
  'user.email_changed': 'A user confirmed a new email.',
  'user.email_confirmation_failed':
    'A new email, or the email of the account, was confirmed with a wrong code.',
  'user.email_verified': 'A user confirmed the email of the account.',
  'user.unproven_removed':
    'A mailed code proved the email, and what was put on the account before was removed.',
  'user.deleted': 'An account was deleted.',
  'push.sent': 'A push message was sent; `details` says to how many devices.',
  'identity.linked': 'An identity provider was linked to an account.',
  'identity.link_failed': 'A user failed to link an identity provider to the account.',
  'identity.unlinked': 'An identity provider was unlinked from an account.',
  'file.uploaded': 'A file was uploaded with a secret key.',
  'file.deleted': 'A file was deleted with a secret key.',
  'loyalty.entry_added':
    'Points were added to a user or taken away; `details` names the entry and the points.',
  'config.updated': 'The remote config was replaced; `details.version` is the new version.',
  'config.rolled_back': 'An earlier version of the remote config was brought back; `details` names both.',
  'webhook.created': 'A webhook was made.',
  'webhook.updated': 'A webhook was changed; `details.changed` names what.',
  'webhook.deleted': 'A webhook was removed.',
  'webhook.disabled':
    'The service disabled a webhook; `details.reason` is `gone` (it answered 410) or `failing` (five days without a success).',
  'webhook.secret_rotated': 'A webhook got a new secret.',
  'webhook.tested': 'A test was sent to a webhook.',
  'webhook.delivery_retried': 'A delivery was made due again.',
  'webhook.replayed': 'Past events were sent to a webhook again.',
  'collection.created': 'A collection of records was declared.',
  'collection.updated': 'The declaration of a collection was changed; `details.changed` names what.',
  'collection.deleted': 'A collection was deleted, with what records it had.',
  'record.created':
    'A record was made with a secret key. The target is its collection, and `details.record` its id where the service made that: a chosen one may be an email.',
  'record.replaced': 'A record was replaced with a secret key.',
  'record.updated': 'Fields were merged into a record with a secret key.',
  'record.deleted': 'A record was deleted with a secret key.',
  'audit.left_out':
    'The database was away for longer than failures and refusals can wait in memory; `details.count` of them have no entry.',
} as const satisfies Record<string, string>;

/** What an entry of the audit log says was done, such as `user.signed_in`. */
export type AuditAction = keyof typeof auditActions;
