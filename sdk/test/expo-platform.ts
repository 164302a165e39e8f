// What Expo 57 has in place of the web's `fetch`, FormData and XMLHttpRequest, with the network of Node below it. The encoder
// follows expo 57.0.33, `src/winter/FormData.ts`, `fetch/convertFormData.ts` and `fetch/RequestUtils.ts`, and the rest
// react-native 0.84, `Libraries/Network/FormData.js` and `convertRequestBody.js` (both MIT): their native halves run on devices only.

type Part = string | (Blob & { name?: string }) | { uri: string; name?: string; type?: string };

/** The files of the device, by URI. */
export const deviceFiles = new Map<string, string>();

const platformFetch = fetch;
const boundary = '----ExpoFetchFormBoundary0123456789abcdef';

/** React Native's, with the methods that Expo adds. */
export class ExpoFormData {
  readonly parts: [name: string, value: Part][] = [];

  append(name: string, value: Part, filename?: string): void {
    if (value instanceof Blob && !Object.getOwnPropertyDescriptor(value, 'name'))
      Object.defineProperty(value, 'name', { value: filename ?? 'blob' });
    this.parts.push([name, typeof value === 'object' ? value : String(value)]);
  }
  entries() {
    return this.parts.values();
  }
  /** What React Native passes to the native side: a copy of own properties. */
  getParts() {
    return this.parts.map(([name, value]) => ({
      name,
      disposition: disposition(name, value),
      ...(typeof value === 'string' ? { string: value } : { ...value }),
    }));
  }
}

function disposition(name: string, value: Part): string {
  const filename = typeof value === 'object' && value.name;
  const encoded = filename ? `; filename="${encodeURIComponent(filename.replace(/\//g, '_'))}"` : '';
  return `form-data; name="${name}"${encoded}`;
}

function encoded(parts: { disposition: string; type: string; body: BlobPart }[]): Blob {
  const pieces = parts.flatMap(({ disposition, type, body }) => [
    `--${boundary}\r\ncontent-disposition: ${disposition}\r\n`,
    type && `content-type: ${type}\r\n`,
    '\r\n',
    body,
    '\r\n',
  ]);
  return new Blob([...pieces, `--${boundary}--\r\n`]);
}

async function send(url: string, headers: Record<string, string>, body: Blob, signal?: AbortSignal | null) {
  const type = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
  const given = { method: 'POST', headers: { ...headers, ...type }, body: await body.bytes() };
  return platformFetch(url, { ...given, signal: signal ?? null });
}

/** Refuses a part that is no string, no Blob, and has no `bytes`, before it sends anything. */
export const expoFetch = (async (input: string, init: RequestInit = {}) => {
  const form: unknown = init.body;
  if (!(form instanceof ExpoFormData)) return platformFetch(input, init);
  const parts = [];
  for (const [name, value] of form.entries()) {
    const type = typeof value === 'object' && typeof value.type === 'string' ? value.type : '';
    const base = { disposition: disposition(name, value), type };
    if (typeof value === 'string' || value instanceof Blob) parts.push({ ...base, body: value });
    else if ('bytes' in value) parts.push({ ...base, body: await (value as unknown as Blob).bytes() });
    else throw new Error('Unsupported FormDataPart implementation');
  }
  return send(input, init.headers as Record<string, string>, encoded(parts), init.signal);
}) as typeof fetch;

/** React Native's: the native side reads the URIs of a form, and knows no Blob in one. */
export class NativeXhr {
  static sent = 0;
  upload: { onprogress?: (event: object) => void } = {};
  status = 0;
  responseText = '';
  onload = () => {};
  onerror = () => {};
  onabort = () => {};
  private url = '';
  private readonly headers: Record<string, string> = {};
  private answer: Response | undefined;

  open(_method: string, url: string): void {
    this.url = url;
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  getResponseHeader(name: string): string | null {
    return this.answer?.headers.get(name) ?? null;
  }
  abort(): void {
    this.onabort();
  }
  async send(form: ExpoFormData): Promise<void> {
    NativeXhr.sent += 1;
    const parts = [];
    for (const part of form.getParts() as {
      disposition: string;
      string?: string;
      uri?: string;
      type?: string;
    }[]) {
      const body = part.string ?? deviceFiles.get(part.uri ?? '');
      if (body === undefined) return this.onerror();
      parts.push({ disposition: part.disposition, type: part.type ?? '', body });
    }
    const body = encoded(parts);
    this.upload.onprogress?.({ loaded: body.size, total: body.size, lengthComputable: true });
    this.answer = await send(this.url, this.headers, body);
    this.status = this.answer.status;
    this.responseText = await this.answer.text();
    this.onload();
  }
}

/** As the `File` of expo-file-system: a URI whose properties are inherited, with the methods of a Blob. */
export class ExpoFile {
  readonly #uri: string;
  constructor(uri: string) {
    this.#uri = uri;
  }
  get uri() {
    return this.#uri;
  }
  get name() {
    return this.#uri.split('/').at(-1)!;
  }
  get type() {
    return 'text/plain';
  }
  get size() {
    return deviceFiles.get(this.#uri)!.length;
  }
  async bytes() {
    return new TextEncoder().encode(deviceFiles.get(this.#uri));
  }
}
