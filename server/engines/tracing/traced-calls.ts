// The calls to other services, each in a span: mails, push messages, webhooks, and the keys and tokens of identity providers.
import type { Mailer } from '../mailer/index.js';
import type { PushSenders } from '../push-senders/index.js';
import type { Fetch, SsrfSafeFetch } from '../safe-fetch/index.js';
import type { Tracing } from './tracing.js';

/** Returns each call as it is if there is no tracing. */
export function tracedCalls(tracing: Tracing | null) {
  // What is no URL is refused by the call itself.
  const serverOf = (url: string) => ({ 'server.address': URL.canParse(url) ? new URL(url).hostname : '' });
  return {
    fetch: (real: Fetch): Fetch =>
      tracing
        ? (input, init) => {
            const server = serverOf(String(input instanceof Request ? input.url : input));
            return tracing.call(`${init?.method ?? 'GET'} provider`, server, () => real(input, init));
          }
        : real,
    webhooks: (real: SsrfSafeFetch): SsrfSafeFetch =>
      tracing
        ? {
            ...real,
            send: (address, request) =>
              tracing.call('POST webhook', serverOf(address), () => real.send(address, request)),
          }
        : real,
    mailer: (real: Mailer): Mailer =>
      tracing ? { ...real, send: (mail) => tracing.call('send mail', {}, () => real.send(mail)) } : real,
    pushSenders(real: PushSenders): PushSenders {
      if (!tracing) return real;
      const traced = <Input extends unknown[], T>(
        provider: string,
        send: (...input: Input) => Promise<T>,
      ) => {
        const attributes = { 'messaging.system': provider };
        return (...input: Input) => tracing.call('send push', attributes, () => send(...input));
      };
      const { fcm, apns, webPush } = real;
      return {
        ...real,
        fcm: { ...fcm, send: traced('fcm', fcm.send) },
        apns: { ...apns, send: traced('apns', apns.send) },
        webPush: { ...webPush, send: traced('web-push', webPush.send) },
      };
    },
  };
}
