// Audit entries in words.
import { type AuditAction, type AuditEntry, auditActions } from '@foyer/contract';
import { capitalized } from './capitalized.ts';
import { namelessActors } from './nameless-actors.ts';

/** What happened, continuing the name of the actor; by what it happened to. */
export const actionGroups: Record<string, Partial<Record<AuditAction, string>>> = {
  Users: {
    'user.signed_up': 'Signed up',
    'user.created': 'Created a user',
    'user.updated': 'Changed a user',
    'user.disabled': 'Disabled a user',
    'user.enabled': 'Enabled a user',
    'user.deleted': 'Deleted an account',
    'user.claims_set': 'Set the custom claims of a user',
    'user.export_requested': 'Requested an export of the data of a user',
    'user.note_added': 'Added a note on a user',
    'user.email_changed': 'Changed the email',
    'user.email_verified': 'Verified the email',
    'user.unproven_removed': 'Removed what was set up before the email was verified',
    'users.imported': 'Imported users',
    'users.exported': 'Exported all users',
    'users.imported_from_v1': 'Imported users of v1',
  },
  'Sign-in': {
    'user.signed_in': 'Signed in',
    'user.sign_in_failed': 'Failed to sign in',
    'user.guesses_limited': 'Reached the limit of failed attempts',
    'user.limits_lifted': 'Lifted the limits of a user',
    'user.code_sent': 'Sent a code to a user',
    'user.mails_slowed': 'Reached the daily limit of codes',
    'user.signed_out': 'Signed out',
    'user.signed_out_everywhere': 'Signed out everywhere',
    'user.sessions_revoked': 'Ended all sessions of a user',
    'session.revoked': 'Ended a session of a user',
    'session.ended': 'Ended a session',
    'session.refresh_reuse': 'Used a refresh token twice',
    'user.reauthenticated': 'Reauthenticated',
    'user.reauthentication_failed': 'Failed to reauthenticate',
    'user.email_confirmation_failed': 'Failed to confirm an email',
  },
  'Passwords, passkeys and second factors': {
    'user.password_changed': 'Changed the password',
    'user.password_reset': 'Reset the password',
    'user.password_reset_failed': 'Failed to reset the password',
    'passkey.added': 'Added a passkey',
    'passkey.add_failed': 'Failed to add a passkey',
    'passkey.removed': 'Removed a passkey',
    'passkey.refused': 'Used a passkey that was refused',
    'user.second_factor_enrolled': 'Enrolled an authenticator app',
    'user.second_factor_removed': 'Removed the second factor',
    'user.second_factor_failed': 'Failed the second step',
    'user.recovery_code_used': 'Used a recovery code',
    'user.recovery_codes_replaced': 'Replaced the recovery codes',
  },
  'Identity providers': {
    'identity.linked': 'Linked a provider',
    'identity.link_failed': 'Failed to link a provider',
    'identity.unlinked': 'Unlinked a provider',
    'provider.token_refused': 'Sent a token that was refused',
    'provider.exchange_failed': 'Could not exchange a code of Apple',
    'provider.revocation_failed': 'Could not revoke the tokens at Apple',
  },
  'App and settings': {
    'settings.updated': 'Changed settings',
    'mail.tested': 'Sent a test mail',
    'app.created': 'Created the app',
    'app.renamed': 'Renamed the app',
    'app.disabled': 'Disabled the app',
    'app.enabled': 'Enabled the app',
    'app.deleted': 'Deleted the app',
    'app.limit_reached': 'Reached an hourly limit',
    'audit.left_out': 'Lost entries of the audit log',
  },
  Team: {
    'member.invited': 'Invited a member',
    'member.invitation_revoked': 'Revoked an invitation',
    'member.joined': 'Joined the team',
    'member.role_changed': 'Changed the role of a member',
    'member.removed': 'Removed a member',
    'member.refused': 'Was refused for a lack of rights',
  },
  Keys: {
    'secret_key.created': 'Created a secret key',
    'secret_key.revoked': 'Revoked a secret key',
    'secret_key.refused': 'Used a secret key that was refused',
    'signing_keys.rotated': 'Rotated the signing keys',
    'secrets.reencrypted': 'Encrypted the stored secrets again',
  },
  'Push and loyalty': {
    'push.sent': 'Sent a push message',
    'push.cancelled': 'Cancelled a push message',
    'loyalty.entry_added': 'Added or deducted points',
  },
  'Remote config': {
    'config.updated': 'Published the remote config',
    'config.rolled_back': 'Restored the remote config',
  },
  Webhooks: {
    'webhook.created': 'Added a webhook',
    'webhook.updated': 'Changed a webhook',
    'webhook.deleted': 'Deleted a webhook',
    'webhook.disabled': 'Disabled a webhook',
    'webhook.secret_rotated': 'Rotated the secret of a webhook',
    'webhook.tested': 'Tested a webhook',
    'webhook.delivery_retried': 'Retried a delivery',
    'webhook.replayed': 'Replayed events',
  },
  'Data and files': {
    'collection.created': 'Created a collection',
    'collection.updated': 'Changed a collection',
    'collection.deleted': 'Deleted a collection',
    'record.created': 'Created a record',
    'record.replaced': 'Replaced a record',
    'record.updated': 'Changed a record',
    'record.deleted': 'Deleted a record',
    'file.uploaded': 'Uploaded a file',
    'file.url_created': 'Created the URL of a file',
    'file.deleted': 'Deleted a file',
  },
};

const words: Record<string, string> = Object.assign({}, ...Object.values(actionGroups));

/** `user.signed_in` as "Signed in"; an action of a later version by its name. */
export function actionText(action: string): string {
  return words[action] ?? capitalized(action.replaceAll(/[._]/g, ' '));
}

/** What the contract says of an action. */
export function actionMeaning(action: string): string | undefined {
  return (auditActions as Record<string, string>)[action]?.replaceAll('`', '');
}

/** A name where there is one; the id is in the details. */
export function actorText({ actor, actor_name }: Pick<AuditEntry, 'actor' | 'actor_name'>): string {
  const [kind] = actor.split(':', 1);
  if (kind === 'secret_key') return actor_name === null ? actor : `Key ${actor_name}`;
  return actor_name ?? (kind === 'user' ? 'A user' : capitalized(namelessActors[actor] ?? actor));
}

const kinds: Record<string, string> = {
  user: 'A user',
  member: 'A former member',
  secret_key: 'Key',
  webhook: 'A deleted webhook',
  file: 'A deleted file',
  app: 'The app',
  config: 'Remote config',
  session: 'A session',
  invitation: 'An invitation',
  push_message: 'A push message',
  signing_key: 'A signing key',
  encryption_key: 'An encryption key',
};

export function targetText({ target, target_name }: Pick<AuditEntry, 'target' | 'target_name'>): string {
  const [kind = '', id = ''] = target.split(/:(.*)/s);
  if (kind === 'collection') return id;
  if (kind === 'secret_key') return `Key ${target_name ?? id}`;
  if (kind === 'session' && target_name !== null) return `A session of ${target_name}`;
  if (kind === 'push_message' && target_name !== null) return `“${target_name}”`;
  return target_name ?? kinds[kind] ?? target;
}
