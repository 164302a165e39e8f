// Sends a form with upload progress: from XMLHttpRequest in browsers and React Native, from a counted stream in Node,
// elsewhere only at the end. In React Native only XMLHttpRequest reads the file of a URI on every release: the `fetch` of
// Expo 57, which replaces that of React Native, refuses it.

export interface UploadProgress {
  /** Bytes of the file sent so far. */
  loaded: number;
  /** Size of the file; absent until the end when the platform does not provide it. */
  total?: number | undefined;
}

export interface FormRequest {
  url: string;
  headers: Record<string, string>;
  form: FormData;
  /** The file is a URI on the device, not a `Blob`. */
  isNative: boolean;
  /** The file's size, if known. */
  total: number | undefined;
  signal: AbortSignal;
  onProgress: ((progress: UploadProgress) => void) | undefined;
}

const pieceBytes = 65_536;

/** Uses the app's own `fetch` if given, otherwise the transport that reads the file and reports progress, if requested. */
export async function sendForm(
  request: FormRequest,
  fetchGiven: typeof fetch | undefined,
): Promise<Response> {
  const { url, headers, form, isNative, signal, onProgress } = request;
  const hasXhr = typeof XMLHttpRequest === 'function';
  // The one of React Native cannot send the Blobs of a form.
  const usesXhr = isNative || (onProgress && !isReactNative());
  if (usesXhr && hasXhr && !fetchGiven) return sendByXhr(request);
  const send = fetchGiven ?? fetch;
  if (onProgress && isNode() && !isReactNative()) {
    // Encodes with the platform, whose content type contains the boundary.
    const encoded = new Response(form);
    return send(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': encoded.headers.get('Content-Type') ?? '' },
      body: counted(encoded.body as ReadableStream<Uint8Array>, request),
      signal,
      duplex: 'half',
    } as RequestInit);
  }
  try {
    return await send(url, { method: 'POST', headers, body: form, signal });
  } catch (error) {
    // Expo's `fetch`, given as an option, has refused the file before it sent anything.
    if (isNative && hasXhr && /FormDataPart/.test(String(error))) return sendByXhr(request);
    throw error;
  }
}

function isReactNative(): boolean {
  return (globalThis.navigator as Navigator | undefined)?.product === 'ReactNative';
}

function isNode(): boolean {
  const { process: running } = globalThis as { process?: { versions?: { node?: string } } };
  return Boolean(running?.versions?.node);
}

/** Splits the stream into small chunks, so that progress is reported more than once. */
function counted(bytes: ReadableStream<Uint8Array>, { total, onProgress }: FormRequest): ReadableStream {
  const reader = bytes.getReader();
  let chunk = new Uint8Array();
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      while (chunk.byteLength === 0) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        chunk = value as typeof chunk;
      }
      const piece = chunk.subarray(0, pieceBytes);
      chunk = chunk.subarray(pieceBytes);
      controller.enqueue(piece);
      const before = capped(sent, total).loaded;
      sent += piece.byteLength;
      // The form's trailing bytes do not belong to the file.
      if (capped(sent, total).loaded > before) onProgress?.(capped(sent, total));
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function sendByXhr({ url, headers, form, total, signal, onProgress }: FormRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open('POST', url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded, lengthComputable, total: form }) =>
      onProgress?.(capped(loaded, total ?? (lengthComputable ? form : undefined)));
    xhr.onload = () => {
      const named = ['X-Request-Id', 'Retry-After'].map(
        (name) => [name, xhr.getResponseHeader(name)] as const,
      );
      const answered = named.filter((header): header is [string, string] => header[1] !== null);
      // A status such as 204 permits no body, not even an empty one.
      resolve(new Response(xhr.responseText || null, { status: xhr.status, headers: answered }));
    };
    xhr.onerror = () => reject(new TypeError('The upload failed.'));
    xhr.onabort = xhr.onerror;
    signal.addEventListener('abort', () => xhr.abort());
    xhr.send(form);
  });
}

/** The form is slightly larger than the file. */
function capped(sent: number, total: number | undefined): UploadProgress {
  return total === undefined ? { loaded: sent } : { loaded: Math.min(sent, total), total };
}
