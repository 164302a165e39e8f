// Sends raw HTTP over a socket, for requests that no HTTP client would send.
import { once } from 'node:events';
import { connect } from 'node:net';

export type RawAnswer = {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape.
  json: any;
};

export type RawConnection = Awaited<ReturnType<typeof rawConnection>>;

/** `localAddress`: the IP address to connect from. */
export async function rawConnection(port: number, localAddress?: string) {
  const socket = connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) });
  let received = Buffer.alloc(0);
  let ended = false;
  let wake = () => {};
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  const close = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  for (const event of ['end', 'close', 'error']) {
    socket.on(event, () => {
      ended = true;
      wake();
    });
  }
  await once(socket, 'connect');

  async function until<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (ended) throw new Error(`the connection closed; received: ${JSON.stringify(received.toString())}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  function take(bytes: number): Buffer {
    const taken = received.subarray(0, bytes);
    received = received.subarray(bytes);
    return taken;
  }

  async function line(): Promise<string> {
    const end = await until(() => foundAt(received.indexOf('\r\n')));
    return take(end + 2).toString('latin1', 0, end);
  }

  async function body(headers: Headers): Promise<string> {
    if (headers.get('transfer-encoding') === 'chunked') {
      const parts: Buffer[] = [];
      for (let size = -1; size !== 0; ) {
        size = Number.parseInt(await line(), 16);
        await until(() => (received.length >= size + 2 ? true : undefined));
        parts.push(Buffer.from(take(size)));
        take(2);
      }
      return Buffer.concat(parts).toString();
    }
    const length = Number(headers.get('content-length') ?? 0);
    await until(() => (received.length >= length ? true : undefined));
    return take(length).toString();
  }

  return {
    socket,
    send: (bytes: string | Uint8Array) => void socket.write(bytes),
    /** The next answer on this connection; `head` means that it has no body despite its headers, `interim` that 100 counts. */
    async answer({ head = false, interim = false } = {}): Promise<RawAnswer> {
      for (;;) {
        const [, version, status] = /^(HTTP\/1\.1) (\d{3})/.exec(await line()) ?? [];
        if (!version) throw new Error('what came back is not HTTP/1.1');
        const headers = new Headers();
        for (let field = await line(); field !== ''; field = await line()) {
          const colon = field.indexOf(':');
          headers.append(field.slice(0, colon), field.slice(colon + 1).trim());
        }
        // 100 Continue is an interim response, not the answer.
        if (status === '100' && !interim) continue;
        const text = head ? '' : await body(headers);
        const isJson = text !== '' && headers.get('content-type')?.startsWith('application/json');
        return { status: Number(status), headers, text, json: isJson ? JSON.parse(text) : undefined };
      }
    },
    /** Resolves once the server has closed. */
    closed: () => close,
    close: () => void socket.destroy(),
  };
}

/** Sends on a new connection and returns the first answer. */
export async function rawAnswer(port: number, bytes: string | Uint8Array): Promise<RawAnswer> {
  const connection = await rawConnection(port);
  try {
    connection.send(bytes);
    return await connection.answer({ head: String(bytes).startsWith('HEAD ') });
  } finally {
    connection.close();
  }
}

function foundAt(index: number): number | undefined {
  return index < 0 ? undefined : index;
}

/** A request without a body; `headers` are whole lines. */
export function rawCall(port: number, method: string, target: string, headers: string[]): Promise<RawAnswer> {
  return rawAnswer(
    port,
    [`${method} ${target} HTTP/1.1`, 'Host: accounts.test', ...headers, '', ''].join('\r\n'),
  );
}
