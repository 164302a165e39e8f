// A team member as the caller of a request: a user of the app `console`.
import type { Role } from '@foyer/contract';
import type { LiveSession } from './session.js';

export type CallingMember = {
  uid: string;
  /** The role in the app that the call acts on; null without one. */
  role: Role | null;
  /** A member of the app `console`, who owns every app. */
  ownsService: boolean;
  session: LiveSession;
};
