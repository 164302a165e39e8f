// What the composer holds, and the message that it stands for.
import type { PushMessageInput } from '@foyer/contract';
import { instantOf, isLocalTime } from '../../components/local-time.ts';
import { serviceNow } from '../../service-clock.ts';

export type Target = 'topic' | 'uids' | 'device_ids' | 'all';

export type MessageValues = {
  target: Target;
  topic: string;
  /** The uids of the chosen users. */
  people: string[];
  /** The ids of the chosen devices. */
  devices: string[];
  title: string;
  body: string;
  image_url: string;
  data: { key: string; value: string }[];
  ttl_hours: number | '';
  priority: 'high' | 'normal';
  collapse_key: string;
  badge: number | '';
  sound: string;
  when: 'now' | 'later';
  /** A time in the time zone of the reader. */
  send_at: string;
};

export const emptyMessage: MessageValues = {
  target: 'topic',
  topic: '',
  people: [],
  devices: [],
  title: '',
  body: '',
  image_url: '',
  data: [],
  ttl_hours: '',
  priority: 'high',
  collapse_key: '',
  badge: '',
  sound: '',
  when: 'now',
  send_at: '',
};

export const messageRules = {
  people: (people: string[], { target }: MessageValues) =>
    target === 'uids' && people.length === 0 ? 'Choose at least one person.' : null,
  devices: (devices: string[], { target }: MessageValues) =>
    target === 'device_ids' && devices.length === 0 ? 'Choose at least one device.' : null,
  send_at: (local: string, { when }: MessageValues) => {
    if (when === 'now') return null;
    if (!isLocalTime(local)) return 'Enter a day and a time.';
    // In the past it would be sent at once.
    return Date.parse(local) <= serviceNow() ? 'Enter a time that is not past.' : null;
  },
  data: {
    key: (key: string, { data }: MessageValues, path: string) => {
      const place = Number(path.split('.')[1]);
      if (key === '') return data[place]?.value === '' ? null : 'Enter a key.';
      return data.findIndex((row) => row.key === key) < place ? 'This key is in the list already.' : null;
    },
  },
};

export function messageOf(values: MessageValues): PushMessageInput {
  // A row without a key and value was added and not filled in.
  const rows = values.data.filter(({ key, value }) => key !== '' || value !== '');
  const data = Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  const options = {
    ...(values.ttl_hours !== '' && { ttl_seconds: Math.round(values.ttl_hours * 3_600) }),
    ...(values.priority === 'normal' && { priority: values.priority }),
    ...(values.collapse_key !== '' && { collapse_key: values.collapse_key }),
    ...(values.badge !== '' && { badge: values.badge }),
    ...(values.sound !== '' && { sound: values.sound }),
  };
  return {
    ...targetOf(values),
    ...((values.title !== '' || values.body !== '') && {
      notification: {
        title: values.title,
        body: values.body,
        ...(values.image_url !== '' && { image_url: values.image_url }),
      },
    }),
    ...(rows.length > 0 && { data }),
    ...(Object.keys(options).length > 0 && { options }),
    ...(values.when === 'later' && { send_at: instantOf(values.send_at) }),
  };
}

function targetOf({ target, topic, people, devices }: MessageValues) {
  if (target === 'all') return { all: true as const };
  if (target === 'topic') return { topic };
  if (target === 'uids') return { uids: people };
  return { device_ids: devices };
}

/** The input of a field of the service: `notification.title` is `title`, `device_ids.3` is `devices`. */
export function inputOf(field: string): string {
  if (/^uids\b/.test(field)) return 'people';
  if (/^device_ids\b/.test(field)) return 'devices';
  return field.replace(/^(notification|options)\./, '').replace('ttl_seconds', 'ttl_hours');
}
