// A real SMTP server for tests, with configurable failures.
import type { Socket } from 'node:net';
import { asciiDomain } from '@foyer/contract';
import { SMTPServer } from 'smtp-server';
import { freePort } from './free-port.js';

/** `greeting` is the name of the client in EHLO. */
export type Received = { to: string[]; from: string; id: string; raw: string; greeting: string };

/** What it does with the next mails; by default it accepts them. */
export type Behaviour = {
  /** Sends no greeting on a new connection. */
  noGreeting?: boolean;
  /** Never answers RCPT TO. */
  silentRecipients?: boolean;
  /** Answers RCPT TO with this status. */
  refuse?: (address: string) => number | undefined;
  /** Reads the whole mail and accepts it, and then: 'no answer' sends nothing, 'hang up' closes. */
  afterData?: 'no answer' | 'hang up' | number;
  /** Closes the connection in the middle of the mail, before accepting any of it. */
  cutInData?: boolean;
};

export type MailServer = {
  url: string;
  received: Received[];
  /** Connections opened and mails begun, for tests of how often a send is retried. */
  readonly connections: number;
  readonly attempts: number;
  behave(behaviour: Behaviour): void;
  /** Closes every connection, as servers do with idle ones. */
  hangUp(): Promise<void>;
  down(): Promise<void>;
  /** Listens again on the same port. */
  up(): Promise<void>;
};

export type MailServerOptions = {
  /** TLS from the first byte, with a self-signed certificate. */
  secure?: boolean;
  /** Accepts mail only with these credentials. */
  login?: { user: string; password: string };
};

export async function mailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { secure = false, login } = options;
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let behaviour: Behaviour = {};
  let connections = 0;
  let attempts = 0;
  let server: SMTPServer | undefined;
  // A port that the system assigns to no other socket while this is down.
  const port = await freePort();

  function make(): SMTPServer {
    const made = new SMTPServer({
      secure,
      authOptional: login === undefined,
      allowInsecureAuth: true,
      hideSTARTTLS: true,
      onAuth({ username, password }, _session, callback) {
        if (username === login?.user && password === login?.password) callback(null, { user: username });
        else callback(answer(535, 'who are you'));
      },
      disableReverseLookup: true,
      closeTimeout: 1,
      onConnect(_session, callback) {
        connections += 1;
        if (!behaviour.noGreeting) callback();
      },
      onRcptTo({ address }, _session, callback) {
        attempts += 1;
        if (behaviour.silentRecipients) return;
        const status = behaviour.refuse?.(address);
        callback(status === undefined ? null : answer(status, `no mail for <${address}> here`));
      },
      onData(stream, session, callback) {
        const { cutInData, afterData } = behaviour;
        if (cutInData) {
          cut();
          return;
        }
        let raw = '';
        stream.setEncoding('utf8');
        stream.on('data', (part) => {
          raw += part;
        });
        stream.on('end', () => {
          if (typeof afterData === 'number') {
            callback(answer(afterData, 'not this mail'));
            return;
          }
          const { mailFrom, rcptTo } = session.envelope;
          received.push({
            to: rcptTo.map(({ address }) => asSent(address)),
            from: mailFrom ? mailFrom.address : '',
            id: /^message-id: (.+)$/im.exec(raw)?.[1] ?? '',
            raw,
            greeting: session.hostNameAppearsAs,
          });
          if (afterData === 'hang up') cut();
          else if (afterData === undefined) callback(null, 'taken');
        });
      },
    });
    // Some tests are about a client that gives up in the middle.
    made.on('error', () => {});
    made.server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    return made;
  }

  function cut(): void {
    for (const socket of sockets) socket.destroy();
  }

  const self: MailServer = {
    url: '',
    received,
    get connections() {
      return connections;
    },
    get attempts() {
      return attempts;
    },
    behave(given) {
      behaviour = given;
    },
    async hangUp() {
      cut();
      while (sockets.size > 0) await new Promise(setImmediate);
    },
    async down() {
      const closing = server;
      server = undefined;
      if (!closing) return;
      cut();
      await new Promise<void>((resolve) => closing.close(resolve));
    },
    async up() {
      const made = make();
      await new Promise<void>((resolve, reject) => {
        made.once('error', reject);
        made.listen(port, '127.0.0.1', resolve);
      });
      server = made;
    },
  };
  await self.up();
  const credentials = login ? `${login.user}:${login.password}@` : '';
  self.url = `${secure ? 'smtps' : 'smtp'}://${credentials}127.0.0.1:${port}`;
  return self;
}

function answer(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** The library shows a domain in Unicode that came in the form of the DNS. */
function asSent(address: string): string {
  const domain = address.lastIndexOf('@') + 1;
  return address.slice(0, domain) + asciiDomain(address.slice(domain));
}
