// The push devices of the scripted service: their users, and access control.
import { type Answer, data, refusal } from './scripted-answers.js';

type Kept = { id: string; user_uid: string | null };

export function scriptedDevices() {
  const devices = new Map<string, Kept>();
  let serial = 0;

  /** The request as the user with this uid, or without a user. */
  function answer(route: string, input: Record<string, unknown>, uid: string | null): Answer {
    if (route === 'GET /api/v2/push/web-key') return data(200, { public_key: 'BKey' });
    if (route.startsWith('GET ')) {
      if (!uid) return refusal(401, 'auth/invalid-token');
      const items = [...devices.values()].filter(({ user_uid }) => user_uid === uid);
      return data(200, { items, next_cursor: null });
    }
    if (route.startsWith('POST ')) {
      const token = String(input.token);
      const known = devices.get(token);
      const device = {
        ...known,
        id: known?.id ?? `01DEVICE${++serial}`,
        app_version: input.app_version,
        user_uid: uid,
      };
      devices.set(token, device);
      return data(known ? 200 : 201, device);
    }
    const [, id] = /\/devices\/(\w+)/.exec(route) ?? [];
    const found = [...devices].find(([, device]) => device.id === id);
    if (!found || (found[1].user_uid ?? uid) !== uid) return refusal(404, 'push/device-not-found');
    if (/^DELETE .*\/devices\/\w+$/.test(route)) devices.delete(found[0]);
    return { status: 204 };
  }

  return { devices, answer };
}
