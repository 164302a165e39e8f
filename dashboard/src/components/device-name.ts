// The names of devices that receive push messages.
import type { PushDevice } from '@foyer/contract';

export const platformNames: Record<PushDevice['platform'], string> = {
  ios: 'iOS',
  android: 'Android',
  web: 'Web',
};

export const senderNames: Record<PushDevice['provider'], string> = {
  fcm: 'FCM',
  apns: 'APNs',
  webpush: 'Web Push',
};

export function deviceName({ name, platform }: PushDevice): string {
  return name === null ? `${platformNames[platform]} device` : `${name} (${platformNames[platform]})`;
}
