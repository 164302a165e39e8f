// The actions of the audit log and their meanings. An admin endpoint that changes data names its action in its
// metadata.

export const auditActions = {
  'app.created': 'The app was created, with its first secret key.',
  'app.renamed': 'The app was renamed; `details.from` and `details.to` are the names.',
  'app.disabled': 'The app was disabled: calls with its keys are rejected.',
  'app.enabled': 'The app was enabled again.',
  'app.deleted': 'The deletion of the app started.',
  'member.invited': 'An email was invited to the team of the app; `details.role` is the role.',
  'member.invitation_revoked': 'A pending invitation was revoked.',
  'member.joined': 'An invitation was accepted; `details.role` is the role of the new member.',
  'member.role_changed': 'A member was given another role; `details.from` and `details.to` are the roles.',
  'member.removed': 'A member was removed from the team of the app.',
  'member.refused':
    'A call of a team member was rejected: `details.reason` is `insufficient-role`, or `not-a-member` without a ' +
    'role in the app; `details.role` is the role that the call needs. At most one entry is recorded for each ' +
    'member, reason and minute.',
  'mail.tested': 'A test mail was sent to the member who requested it; `details.purpose` names the mail.',
  'settings.updated':
    'Settings of the app were changed; `details.changed` names them, `details.changes` contains the old and the new values, ' +
    'and `details.secrets` the write-only settings that were set or removed, whose values are not recorded.',
  'secret_key.created': 'A secret key was created.',
  'secret_key.revoked': 'A secret key was revoked.',
  'secret_key.refused':
    'A secret key was rejected; `details.reason` gives the reason. `in-browser` includes requests from web ' +
    'pages to endpoints that accept no secret key. At most one entry is recorded for each key, reason and ' +
    'minute; unknown keys are counted by network.',
  'secrets.reencrypted':
    'Stored secrets were re-encrypted with the first key of `ENCRYPTION_KEYS`; `details.count` is their number.',
  'signing_keys.rotated': 'The keys that sign access tokens were rotated.',
  'user.created': 'An account was created by the backend of the app or a team member.',
  'user.updated':
    'An account was changed by the backend of the app or a team member; `details.changed` names the fields. That it was ' +
    'disabled or enabled is an entry of its own.',
  'user.disabled':
    'An account was disabled by the backend of the app or a team member; all its sessions ended.',
  'user.enabled': 'An account was enabled by the backend of the app or a team member.',
  'user.claims_set': 'The custom claims of a user were set.',
  'user.sessions_revoked': 'All sessions of a user were ended by the backend of the app or a team member.',
  'user.limits_lifted':
    'The counts of failed attempts and mailed codes of a user were started again; `details.limits` names those that were ' +
    'reached.',
  'user.code_sent':
    'A code was mailed to a user by the backend of the app or a team member; `details.purpose` names the mail.',
  'user.note_added': 'A note on a user was added. The entry does not contain its text.',
  'user.export_requested':
    'An export of the data of a user was requested, by the user, the backend of the app or a team member.',
  'session.revoked': 'One session of a user was ended by the backend of the app or a team member.',
  'users.imported':
    'Users were imported; `details` contains the number created and the number failed, or the name of the service whose ' +
    'export is imported on the command line, when that begins. No entry is recorded for each user, so a search by `uid` ' +
    'does not find this entry.',
  'users.exported':
    'An export of all users was started on the command line; `details.hashes` is true if it contains the hashes of passwords.',
  'users.imported_from_v1':
    'Users of v1 were imported on the command line; `details.lines` is the number of lines in the file.',
  'user.signed_up':
    'A user created an account and, unless a second factor was still needed, was signed in; an account created in v1 is not ' +
    'signed in.',
  'user.signed_in':
    'A user signed in; `details.method` is the sign-in method, `details.second_factor` the factor of the second step, if any.',
  'user.sign_in_failed':
    'A sign-in failed. The target is the account, or the app where there is none; failures without an account ' +
    'are counted by network. The email is never stored.',
  'user.guesses_limited':
    'Passwords, codes or tokens were rejected unchecked, because a rate limit was exceeded; `details.limit` is its policy, ' +
    'and `details.device` the known device that it applies to, if any. At most one entry ' +
    'is recorded per minute for each account and limit, or for each network where the limit applies to the app and an IP ' +
    'address; then the target is the app, and `details.count` is the number of calls.',
  'user.mails_slowed':
    'The daily limit of codes of one kind to one email was reached; further codes are emailed at most every ten ' +
    'minutes. The target is the account, or the app where there is none. One entry per day is recorded for ' +
    'each email and kind.',
  'app.limit_reached':
    'An hourly limit of new accounts, of codes emailed to emails without an account, or of notices about changes by the ' +
    'backend and the team, was reached; `details.limit` names the setting, or is `notice-app` for notices. `details.reached_by` is `app`, once an hour, or `network` for sign-ups or ' +
    'codes that were rejected because their network had used more than its share; these are counted by network.',
  'user.second_factor_enrolled':
    'A user enrolled an authenticator app, or replaced it; `details.replaced` tells which.',
  'user.second_factor_removed':
    'The authenticator app and the recovery codes of a user were removed: `details.reason` is `self`, `admin`, or ' +
    '`unproven` if they were enrolled before the email was verified.',
  'user.second_factor_failed':
    'The second step of a sign-in or a reauthentication failed; `details.method` is the factor.',
  'user.recovery_code_used':
    'A recovery code was used in place of the authenticator app; `details.left` is the number of codes left.',
  'user.recovery_codes_replaced': 'A user replaced the recovery codes.',
  'user.signed_out': 'A user signed out on one device.',
  'user.signed_out_everywhere': 'A user signed out on every device.',
  'session.ended': 'A user ended a session in the list of devices.',
  'session.refresh_reuse': 'A used refresh token was used again, and its session ended.',
  'user.reauthenticated': 'A signed-in user reauthenticated; `details.method` is the method.',
  'user.reauthentication_failed': 'The reauthentication of a signed-in user failed.',
  'user.password_reset': 'A password was reset with an emailed code; all sessions ended.',
  'user.password_reset_failed': 'A password reset failed because of its code.',
  'user.password_changed': 'A user changed or set their password.',
  'user.email_changed': 'A user changed their email and confirmed the new one.',
  'user.email_confirmation_failed':
    'The confirmation of a new email, or the verification of the current one, failed because of its code.',
  'user.email_verified': 'A user verified the email of their account.',
  'user.unproven_removed':
    'An emailed code verified the email; credentials and sessions from before the verification were removed.',
  'user.deleted': 'An account was deleted.',
  'push.sent':
    'A push message was sent or, with `send_at` in `details`, scheduled; `details` contains the number of devices.',
  'push.cancelled': 'A scheduled push message was cancelled.',
  'identity.linked': 'An identity provider was linked to an account.',
  'identity.link_failed': 'Linking an identity provider to an account failed.',
  'identity.unlinked': 'An identity provider was unlinked from an account.',
  'passkey.added': 'A user added a passkey; `details.passkey` is its id.',
  'passkey.add_failed': 'Adding a passkey to an account failed.',
  'passkey.removed':
    'A passkey was removed by its user, the backend of the app or a team member; `details.passkey` is its id.',
  'passkey.refused':
    'A passkey was refused at a sign-in, a reauthentication or its registration. `details.reason` gives the reason, ' +
    '`origin` the origin that the client claims, shortened; anybody can have written it unless the signature was verified. ' +
    'The target is the account of the passkey once the signature was verified, and else the app; these entries are counted ' +
    'by network and reason, and stored for 30 days.',
  'provider.token_refused':
    'An ID token of a provider was refused at a sign-in, a reauthentication or a link; the target is the provider. ' +
    '`details.reason` gives the reason, `aud`, `iss`, `azp` and `kid` what the token claims, shortened; unless its ' +
    'signature was verified, anybody can have written it. Counted by network and reason, stored for 30 days.',
  'provider.exchange_failed':
    'An authorization code could not be exchanged for a token; the target is the provider, and `details.reason` gives the ' +
    'reason. For provider B nothing can be revoked then when the account is deleted. For another provider a sign-in by redirect ' +
    'has failed; these entries are counted by network and reason, and stored for 30 days.',
  'provider.revocation_failed':
    'The tokens of a deleted account or an unlinked identity could not be revoked at provider B. `details.reason` gives ' +
    'the reason; `details.state` is `retrying`, for 30 days, or `given-up`.',
  'file.uploaded': 'A file was uploaded with a secret key or by a team member.',
  'file.url_created':
    'A URL of the bytes of a file was created with a secret key, once a minute and key, or by a team member, once a minute ' +
    'and file. It works while the key or the membership does.',
  'file.deleted': 'A file was deleted with a secret key or by a team member.',
  'loyalty.entry_added':
    'Points were added to or deducted from a user; `details` contains the entry, the points and the description.',
  'config.updated':
    'The remote config was replaced; `details.version` is the new version, `details.changes` contains the parameters before and ' +
    'after it.',
  'config.rolled_back':
    'An earlier version of the remote config was restored; `details` contains both versions, and `details.changes` the ' +
    'parameters before and after it.',
  'webhook.created': 'A webhook was created; `details.url` is the origin of its URL.',
  'webhook.updated':
    'A webhook was changed; `details.changed` names the fields, and `details.changes` contains the old and the new values. ' +
    'Of a URL only the origin is recorded, because its path or query may hold a secret.',
  'webhook.deleted': 'A webhook was deleted.',
  'webhook.disabled':
    'The service disabled a webhook; `details.reason` is `gone` (it returned 410) or `failing` (no ' +
    'successful delivery for five days).',
  'webhook.secret_rotated': 'The secret of a webhook was rotated.',
  'webhook.tested': 'A test event was sent to a webhook.',
  'webhook.delivery_retried': 'A delivery was scheduled for another attempt.',
  'webhook.replayed': 'A replay of past events to a webhook was started.',
  'collection.created': 'A collection of records was declared.',
  'collection.updated':
    'The declaration of a collection was changed; `details.changed` names the fields, and `details.changes` contains the old ' +
    'and the new values.',
  'collection.deleted': 'A collection was deleted with its records.',
  'record.created':
    'A record was created with a secret key or by a team member. The target is its collection; ' +
    '`details.record` is its id if the service generated it. An id chosen by the client is not recorded, because ' +
    'it may be an email.',
  'record.replaced': 'A record was replaced with a secret key or by a team member.',
  'record.updated': 'Fields were merged into a record with a secret key or by a team member.',
  'record.deleted': 'A record was deleted with a secret key or by a team member.',
  'audit.left_out':
    'The database was unavailable for longer than failures and rejections can be held in memory; ' +
    '`details.count` is the number of lost entries.',
} as const satisfies Record<string, string>;

/** The action of an audit log entry, such as `user.signed_in`. */
export type AuditAction = keyof typeof auditActions;
