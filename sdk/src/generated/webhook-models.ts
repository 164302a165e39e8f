// What webhooks carry. Generated from the contract by `npm run generate`. Do not edit.

/** The user after the event; for a deletion, the user before it. */
export interface WebhookUser {
  /** The user's id within the app; never changes. */
  uid: string;
  /** Null in the events of a deleted account, after its personal data is removed. */
  email: string | null;
  /** False after sign-up with a password. */
  email_verified: boolean;
  /** Null until it is set. */
  first_name: string | null;
  /** Null until it is set. */
  last_name: string | null;
  /** An https URL, or null. */
  photo_url: string | null;
  /** When the account was created. */
  created_at: string;
  /** The member id in the loyalty programme; null in the same case as the email. */
  member_id: string | null;
  /** The custom claims. */
  claims: Record<string, unknown>;
}

/** The session of an event. */
export interface WebhookSession {
  /** The session; `sid` in its access tokens. */
  id: string;
  /** How the user signed in. */
  method: 'password' | 'email_code' | 'provider_a' | 'provider_b' | 'v1_exchange' | 'passkey' | 'provider';
}

/** An entry of the ledger, as the backend sees it. */
export interface WebhookLoyaltyEntry {
  /**
   * The entry. The order of the history is that of the balance; ids of concurrent entries may sort
   * differently.
   */
  id: string;
  /** The points that were added; negative if they were deducted. */
  points: number;
  /** The reason for the points, for the user. */
  description: string;
  /** When the entry was created. */
  created_at: string;
  /** The backend's reference for the entry. */
  reference: string | null;
}

/** The type of an event. A later version of the service may add types. */
export type WebhookEventType =
  | 'user.created'
  | 'user.updated'
  | 'user.deleted'
  | 'user.disabled'
  | 'user.enabled'
  | 'user.email_verified'
  | 'user.password_changed'
  | 'user.passkey_added'
  | 'user.passkey_removed'
  | 'user.second_factor_enrolled'
  | 'user.second_factor_removed'
  | 'session.created'
  | 'session.ended'
  | 'loyalty.points_changed'
  | 'audit.app.created'
  | 'audit.app.renamed'
  | 'audit.app.disabled'
  | 'audit.app.enabled'
  | 'audit.app.deleted'
  | 'audit.member.invited'
  | 'audit.member.invitation_revoked'
  | 'audit.member.joined'
  | 'audit.member.role_changed'
  | 'audit.member.removed'
  | 'audit.member.refused'
  | 'audit.mail.tested'
  | 'audit.settings.updated'
  | 'audit.secret_key.created'
  | 'audit.secret_key.revoked'
  | 'audit.secret_key.refused'
  | 'audit.secrets.reencrypted'
  | 'audit.signing_keys.rotated'
  | 'audit.user.created'
  | 'audit.user.updated'
  | 'audit.user.disabled'
  | 'audit.user.enabled'
  | 'audit.user.claims_set'
  | 'audit.user.sessions_revoked'
  | 'audit.user.limits_lifted'
  | 'audit.user.code_sent'
  | 'audit.user.note_added'
  | 'audit.user.export_requested'
  | 'audit.session.revoked'
  | 'audit.users.imported'
  | 'audit.users.exported'
  | 'audit.users.imported_from_v1'
  | 'audit.user.signed_up'
  | 'audit.user.signed_in'
  | 'audit.user.sign_in_failed'
  | 'audit.user.guesses_limited'
  | 'audit.user.mails_slowed'
  | 'audit.app.limit_reached'
  | 'audit.user.second_factor_enrolled'
  | 'audit.user.second_factor_removed'
  | 'audit.user.second_factor_failed'
  | 'audit.user.recovery_code_used'
  | 'audit.user.recovery_codes_replaced'
  | 'audit.user.signed_out'
  | 'audit.user.signed_out_everywhere'
  | 'audit.session.ended'
  | 'audit.session.refresh_reuse'
  | 'audit.user.reauthenticated'
  | 'audit.user.reauthentication_failed'
  | 'audit.user.password_reset'
  | 'audit.user.password_reset_failed'
  | 'audit.user.password_changed'
  | 'audit.user.email_changed'
  | 'audit.user.email_confirmation_failed'
  | 'audit.user.email_verified'
  | 'audit.user.unproven_removed'
  | 'audit.user.deleted'
  | 'audit.push.sent'
  | 'audit.push.cancelled'
  | 'audit.identity.linked'
  | 'audit.identity.link_failed'
  | 'audit.identity.unlinked'
  | 'audit.passkey.added'
  | 'audit.passkey.add_failed'
  | 'audit.passkey.removed'
  | 'audit.passkey.refused'
  | 'audit.provider.token_refused'
  | 'audit.provider.exchange_failed'
  | 'audit.provider.revocation_failed'
  | 'audit.file.uploaded'
  | 'audit.file.url_created'
  | 'audit.file.deleted'
  | 'audit.loyalty.entry_added'
  | 'audit.config.updated'
  | 'audit.config.rolled_back'
  | 'audit.webhook.created'
  | 'audit.webhook.updated'
  | 'audit.webhook.deleted'
  | 'audit.webhook.disabled'
  | 'audit.webhook.secret_rotated'
  | 'audit.webhook.tested'
  | 'audit.webhook.delivery_retried'
  | 'audit.webhook.replayed'
  | 'audit.collection.created'
  | 'audit.collection.updated'
  | 'audit.collection.deleted'
  | 'audit.record.created'
  | 'audit.record.replaced'
  | 'audit.record.updated'
  | 'audit.record.deleted'
  | 'audit.audit.left_out'
  | 'webhook.test';

/** The body of a webhook delivery: an event, an entry of the audit log, or a test. */
export type WebhookEvent =
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.created';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.updated';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.deleted';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
        /** Whether the user or an admin deleted the account. */
        reason: 'self' | 'admin';
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.disabled';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.enabled';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.email_verified';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.password_changed';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
        /**
         * Such as `changed`, `reset`, or `unproven` for a password that was removed because it was set
         * before the email was verified.
         */
        reason?: string | undefined;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.passkey_added';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
        passkey: {
          /** The passkey. */
          id: string;
        };
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.passkey_removed';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
        passkey: {
          /** The passkey. */
          id: string;
        };
        /**
         * Whether the user or an admin removed it, or the service, because it was added before the email
         * was verified.
         */
        reason: 'self' | 'admin' | 'unproven';
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.second_factor_enrolled';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'user.second_factor_removed';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
        /** `self`, `admin`, or `unproven` for a factor that was enrolled before the email was verified. */
        reason: string;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'session.created';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
        session: WebhookSession;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'session.ended';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
        session: {
          /** The session; `sid` in its access tokens. */
          id: string;
          /** How the user signed in. */
          method:
            | 'password'
            | 'email_code'
            | 'provider_a'
            | 'provider_b'
            | 'v1_exchange'
            | 'passkey'
            | 'provider';
          /**
           * Such as `sign_out`, `sign_out_all`, `ended_by_user`, `session_limit`, `refresh_reuse`,
           * `password_change`, `password_reset`, `user_deleted`.
           */
          reason: string;
        };
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'loyalty.points_changed';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user after the event; for a deletion, the user before it. */
        user: WebhookUser;
        /** The balance after this entry. */
        points: number;
        /** An entry of the ledger, as the backend sees it. */
        entry: WebhookLoyaltyEntry;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** `audit.` and the action of the entry; actions may be added at any time. */
      type:
        | 'audit.app.created'
        | 'audit.app.renamed'
        | 'audit.app.disabled'
        | 'audit.app.enabled'
        | 'audit.app.deleted'
        | 'audit.member.invited'
        | 'audit.member.invitation_revoked'
        | 'audit.member.joined'
        | 'audit.member.role_changed'
        | 'audit.member.removed'
        | 'audit.member.refused'
        | 'audit.mail.tested'
        | 'audit.settings.updated'
        | 'audit.secret_key.created'
        | 'audit.secret_key.revoked'
        | 'audit.secret_key.refused'
        | 'audit.secrets.reencrypted'
        | 'audit.signing_keys.rotated'
        | 'audit.user.created'
        | 'audit.user.updated'
        | 'audit.user.disabled'
        | 'audit.user.enabled'
        | 'audit.user.claims_set'
        | 'audit.user.sessions_revoked'
        | 'audit.user.limits_lifted'
        | 'audit.user.code_sent'
        | 'audit.user.note_added'
        | 'audit.user.export_requested'
        | 'audit.session.revoked'
        | 'audit.users.imported'
        | 'audit.users.exported'
        | 'audit.users.imported_from_v1'
        | 'audit.user.signed_up'
        | 'audit.user.signed_in'
        | 'audit.user.sign_in_failed'
        | 'audit.user.guesses_limited'
        | 'audit.user.mails_slowed'
        | 'audit.app.limit_reached'
        | 'audit.user.second_factor_enrolled'
        | 'audit.user.second_factor_removed'
        | 'audit.user.second_factor_failed'
        | 'audit.user.recovery_code_used'
        | 'audit.user.recovery_codes_replaced'
        | 'audit.user.signed_out'
        | 'audit.user.signed_out_everywhere'
        | 'audit.session.ended'
        | 'audit.session.refresh_reuse'
        | 'audit.user.reauthenticated'
        | 'audit.user.reauthentication_failed'
        | 'audit.user.password_reset'
        | 'audit.user.password_reset_failed'
        | 'audit.user.password_changed'
        | 'audit.user.email_changed'
        | 'audit.user.email_confirmation_failed'
        | 'audit.user.email_verified'
        | 'audit.user.unproven_removed'
        | 'audit.user.deleted'
        | 'audit.push.sent'
        | 'audit.push.cancelled'
        | 'audit.identity.linked'
        | 'audit.identity.link_failed'
        | 'audit.identity.unlinked'
        | 'audit.passkey.added'
        | 'audit.passkey.add_failed'
        | 'audit.passkey.removed'
        | 'audit.passkey.refused'
        | 'audit.provider.token_refused'
        | 'audit.provider.exchange_failed'
        | 'audit.provider.revocation_failed'
        | 'audit.file.uploaded'
        | 'audit.file.url_created'
        | 'audit.file.deleted'
        | 'audit.loyalty.entry_added'
        | 'audit.config.updated'
        | 'audit.config.rolled_back'
        | 'audit.webhook.created'
        | 'audit.webhook.updated'
        | 'audit.webhook.deleted'
        | 'audit.webhook.disabled'
        | 'audit.webhook.secret_rotated'
        | 'audit.webhook.tested'
        | 'audit.webhook.delivery_retried'
        | 'audit.webhook.replayed'
        | 'audit.collection.created'
        | 'audit.collection.updated'
        | 'audit.collection.deleted'
        | 'audit.record.created'
        | 'audit.record.replaced'
        | 'audit.record.updated'
        | 'audit.record.deleted'
        | 'audit.audit.left_out';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** An action on the app or on one of its accounts. */
        entry: {
          /** The entry; ids sort by time. */
          id: string;
          /**
           * The actor: `user:<uid>`, `secret_key:<id>`, `member:<uid>`, `command_line`, `service`, or
           * `anonymous`.
           */
          actor: string;
          /**
           * The email of a team member, the name of a secret key, or the name of a user, else their email,
           * as it is now; null for other actors. Names of users require the scope `users:read` as well.
           */
          actor_name: string | null;
          /** The action; actions may be added at any time. */
          action: string;
          /** The target: a type and an id, such as `user:<uid>` or `secret_key:<id>`. */
          target: string;
          /**
           * The name of the target as it is now, likewise: also the name of an app or a file, the email of a
           * pending invitation, the URL of a webhook, without its query, the title of a push message, which
           * requires the scope `push:read`, and the name of the user of a session. Null for what no longer
           * exists, and for other targets.
           */
          target_name: string | null;
          /** The user that the entry concerns, if any. */
          uid: string | null;
          /** The IP address of the request; null if unknown or if the account was deleted. */
          ip_address: string | null;
          /** Further details, depending on the action; empty after the account was deleted. */
          details: Record<string, unknown>;
          /** The time of the action. */
          created_at: string;
        };
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** The type of the event. */
      type: 'webhook.test';
      /** The time of the event. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The webhook. */
        webhook_id: string;
      };
    };
