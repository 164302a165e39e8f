// What a Chromium needs of its push service (Google's) to make subscriptions: the check-in of the browser, and the registration of
// an endpoint. It delivers no messages.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

export function pushService() {
  let tokens = 0;
  /** The registrations that browsers have asked for or deleted, with the sender: the key of the app. */
  const requests: { sender: string | null; isDeletion: boolean }[] = [];
  return {
    requests,
    /** The switches of a Chromium that uses the push service at this origin. */
    switches: (origin: string) => [
      `--gcm-checkin-url=${origin}/gcm/check-in`,
      `--gcm-registration-url=${origin}/gcm/register`,
      `--gcm-mcs-endpoint=${origin}`,
    ],
    /** True if the request was one to the push service. */
    async answer(req: IncomingMessage, res: ServerResponse): Promise<boolean> {
      if (req.url === '/gcm/check-in') res.end(checkInResponse());
      else if (req.url === '/gcm/register') {
        const form = new URLSearchParams(await text(req));
        // Chromium also registers itself, for messages to the browser.
        const isDeletion = form.has('delete');
        if (form.has('X-subtype')) requests.push({ sender: form.get('sender'), isDeletion });
        res.end(isDeletion ? `deleted=${form.get('app')}` : `token=token-${++tokens}`);
      } else return false;
      return true;
    },
  };
}

/** `AndroidCheckinResponse` of Chromium's checkin.proto: `stats_ok`, `android_id` and `security_token`. */
function checkInResponse(): Buffer {
  const fixed64 = (field: number, value: bigint) => {
    const bytes = Buffer.from([(field << 3) | 1, ...new Uint8Array(8)]);
    bytes.writeBigUInt64LE(value, 1);
    return bytes;
  };
  return Buffer.concat([Buffer.from([(1 << 3) | 0, 1]), fixed64(7, 1n), fixed64(8, 2n)]);
}
