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
  method: 'password' | 'email_code' | 'provider_a' | 'provider_b' | 'v1_exchange';
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
  | 'session.created'
  | 'session.ended'
  | 'loyalty.points_changed'
  | 'webhook.test';

/** The body of a webhook delivery: an event or a test. */
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
