// The row of a device: its columns, and which of them the answers contain.
import { namesIn, shownIn } from '../../model/wire.js';

export const pushProviders = ['fcm', 'apns', 'webpush'] as const;
export type PushProvider = (typeof pushProviders)[number];

/** The target of a message: exactly one of the four. */
export type Target = { uids?: string[]; device_ids?: string[]; topic?: string; all?: true };

/** A stored target. `owners`: the users to whom the devices of `device_ids` belonged when the message was accepted. */
export type StoredTarget = Target & { owners?: Record<string, string> };

export type DeviceRow = {
  id: string;
  provider: PushProvider;
  platform: 'ios' | 'android' | 'web';
  environment: 'production' | 'sandbox';
  appVersion: string | null;
  locale: string | null;
  name: string | null;
  topics: string[];
  uid: string | null;
  invalidAt: Date | null;
  createdAt: Date;
  lastRegisteredAt: Date;
};

/** Topics have a table of their own. */
const table = {
  id: 'shown',
  provider: 'shown',
  platform: 'shown',
  environment: 'shown',
  appVersion: 'shown',
  locale: 'shown',
  name: 'shown',
  uid: 'internal',
  invalidAt: 'internal',
  createdAt: 'shown',
  lastRegisteredAt: 'shown',
} as const satisfies Record<Exclude<keyof DeviceRow, 'topics'>, 'shown' | 'internal'>;

export const storedNames = namesIn(table);
export const shownOfDevice = shownIn(table);
