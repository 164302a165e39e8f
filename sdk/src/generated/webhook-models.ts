// What webhooks carry. Generated from the contract by `npm run generate`. Do not edit.

/** The user as the event left it; of a deletion, as it was last. */
export interface WebhookUser {
  /** The user within the app; never changes. */
  uid: string;
  /** Null in the events of a deleted account, once they are cleared. */
  email: string | null;
  /** False after sign-up with a password. */
  email_verified: boolean;
  /** Null until one is given. */
  first_name: string | null;
  /** Null until one is given. */
  last_name: string | null;
  /** An https address, or null. */
  photo_url: string | null;
  /** When the account was made. */
  created_at: string;
  /** The user in the loyalty programme; null like the email. */
  member_id: string | null;
  /** The custom claims. */
  claims: Record<string, unknown>;
}

/** The session of an event. */
export interface WebhookSession {
  /** The session; `sid` in its access tokens. */
  id: string;
  /** How the user signed in. */
  method: 'password' | 'email_code' | 'provider_a' | 'provider_b' | 'v1_exchange';
}

/** An entry of the ledger, as the backend sees it. */
export interface WebhookLoyaltyEntry {
  /** The entry; later entries sort after earlier ones. */
  id: string;
  /** The points that were added, or taken away. */
  points: number;
  /** For the user: what the points are for. */
  description: string;
  /** When the entry was made. */
  created_at: string;
  /** The backend's own name for the entry. */
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
  | 'session.created'
  | 'session.ended'
  | 'loyalty.points_changed'
  | 'webhook.test';

/** What a webhook carries: an event, or a test. */
export type WebhookEvent =
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** What happened. */
      type: 'user.created';
      /** When it happened. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user as the event left it; of a deletion, as it was last. */
        user: WebhookUser;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** What happened. */
      type: 'user.updated';
      /** When it happened. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user as the event left it; of a deletion, as it was last. */
        user: WebhookUser;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** What happened. */
      type: 'user.deleted';
      /** When it happened. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user as the event left it; of a deletion, as it was last. */
        user: WebhookUser;
        /** Who deleted it: the user, or an admin. */
        reason: 'self' | 'admin';
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** What happened. */
      type: 'user.disabled';
      /** When it happened. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user as the event left it; of a deletion, as it was last. */
        user: WebhookUser;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** What happened. */
      type: 'user.enabled';
      /** When it happened. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user as the event left it; of a deletion, as it was last. */
        user: WebhookUser;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** What happened. */
      type: 'user.email_verified';
      /** When it happened. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user as the event left it; of a deletion, as it was last. */
        user: WebhookUser;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** What happened. */
      type: 'user.password_changed';
      /** When it happened. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user as the event left it; of a deletion, as it was last. */
        user: WebhookUser;
        /**
         * Such as `changed`, `reset`, or `unproven` for a password that was removed because nobody proved
         * it.
         */
        reason?: string | undefined;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** What happened. */
      type: 'session.created';
      /** When it happened. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user as the event left it; of a deletion, as it was last. */
        user: WebhookUser;
        session: WebhookSession;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** What happened. */
      type: 'session.ended';
      /** When it happened. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user as the event left it; of a deletion, as it was last. */
        user: WebhookUser;
        session: {
          /** The session; `sid` in its access tokens. */
          id: string;
          /** How the user signed in. */
          method: 'password' | 'email_code' | 'provider_a' | 'provider_b' | 'v1_exchange';
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
      /** What happened. */
      type: 'loyalty.points_changed';
      /** When it happened. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The user as the event left it; of a deletion, as it was last. */
        user: WebhookUser;
        /** The balance with this entry. */
        points: number;
        /** An entry of the ledger, as the backend sees it. */
        entry: WebhookLoyaltyEntry;
      };
    }
  | {
      /** The event; the same in every attempt, retry and replay, and in `webhook-id`. */
      id: string;
      /** What happened. */
      type: 'webhook.test';
      /** When it happened. */
      timestamp: string;
      /** The app. */
      app_id: string;
      data: {
        /** The webhook. */
        webhook_id: string;
      };
    };
