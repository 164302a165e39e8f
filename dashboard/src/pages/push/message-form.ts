// What the composer holds, and the message that it stands for.
import type { PushMessageInput } from '@foyer/contract';

export type Target = 'topic' | 'uids' | 'device_ids' | 'all';

export type MessageValues = {
  target: Target;
  topic: string;
  /** User or device ids, separated by spaces or lines. */
  ids: string;
  title: string;
  body: string;
  image_url: string;
  data: { key: string; value: string }[];
  ttl_hours: number | '';
  priority: 'high' | 'normal';
  collapse_key: string;
  badge: number | '';
  sound: string;
};

export const emptyMessage: MessageValues = {
  target: 'topic',
  topic: '',
  ids: '',
  title: '',
  body: '',
  image_url: '',
  data: [],
  ttl_hours: '',
  priority: 'high',
  collapse_key: '',
  badge: '',
  sound: '',
};

export const messageRules = {
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
  };
}

function targetOf({ target, topic, ids }: MessageValues) {
  if (target === 'all') return { all: true as const };
  if (target === 'topic') return { topic };
  return { [target]: ids.split(/[\s,]+/).filter(Boolean) };
}

/** The input of a field of the service: `notification.title` is `title`, `uids.3` is `ids`. */
export function inputOf(field: string): string {
  if (/^(uids|device_ids)\b/.test(field)) return 'ids';
  return field.replace(/^(notification|options)\./, '').replace('ttl_seconds', 'ttl_hours');
}
