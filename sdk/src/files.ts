// `files(client)`: upload with progress, read, address and delete the files of the signed-in user.
import type { CallOptions, Client, RepeatableCallOptions } from './api.js';
import { bounded } from './bounded.js';
import { refusesToken } from './call.js';
import { dataOf, requestIdOf } from './envelope.js';
import { FoyerError, isFoyerError } from './errors.js';
import type { FileInfo, FileUrl, FileVisibility } from './generated/models.js';
import type { Route } from './generated/routes.js';
import { createOptionalUserCall } from './optional-user.js';
import { type Parts, partsOf } from './parts.js';
import { stopwatch } from './stopwatch.js';
import { sendForm, type UploadProgress } from './upload.js';

/** A file as React Native has it: an address on the device, and what the picker said of it. */
export interface NativeFile {
  uri: string;
  name: string;
  type: string;
}

export interface UploadOptions extends CallOptions {
  /** `private` when absent: for the user and the app's backend alone. */
  visibility?: FileVisibility | undefined;
  /** The file's name; that of the `File` when absent. */
  name?: string | undefined;
  /** Told as the bytes go out, and once more when the service has them. Where nothing can count them, then alone. */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
}

export interface FileUrlOptions extends RepeatableCallOptions {
  /** How long the address works: 900 when absent, at most a week. */
  expiresInSeconds?: number | undefined;
  /** A browser saves the file instead of showing it. */
  download?: boolean | undefined;
}

export interface Files {
  /**
   * Uploads as the signed-in user. There is no time limit but `timeoutMs`, ten minutes when absent. It is not repeated
   * after a failure of the network: the service may have the file.
   */
  upload(file: Blob | NativeFile, options?: UploadOptions): Promise<FileInfo>;
  /** The user's own file, or a public one, which needs nobody signed in. */
  get(id: string, options?: RepeatableCallOptions): Promise<FileInfo>;
  /** An address that opens the bytes for a while, for an `<img>` or a download. */
  url(id: string, options?: FileUrlOptions): Promise<FileUrl>;
  /** Every address of the file is dead at once. */
  delete(id: string, options?: RepeatableCallOptions): Promise<void>;
}

const uploadTimeoutMs = 600_000;

/**
 * The files of a client.
 *
 * @example
 * const { id } = await files(client).upload(input.files[0], {
 *   onProgress: ({ loaded, total }) => { bar.value = loaded / total; },
 * });
 * image.src = (await files(client).url(id)).url;
 */
export function files(client: Client): Files {
  const parts = partsOf.get(client);
  if (!parts) throw new FoyerError('client/invalid-argument', 'This is no client of createClient.');
  const { call, keeper, sendRepeated } = parts;
  const optionalUser = createOptionalUserCall(keeper, sendRepeated, call);
  return {
    upload: (file, options = {}) => upload(parts, file, options),
    get: (id, options) => optionalUser<FileInfo>('GET /files/:id', { params: { id } }, options),
    url: (id, { expiresInSeconds, download, ...options } = {}) =>
      optionalUser<FileUrl>(
        'GET /files/:id/url',
        { params: { id }, query: { expires_in: expiresInSeconds, download } },
        options,
      ),
    delete: (id, options) => call<void>('DELETE /files/:id', { params: { id } }, options),
  };
}

async function upload(parts: Parts, file: Blob | NativeFile, options: UploadOptions): Promise<FileInfo> {
  const { keeper } = parts;
  const { signal } = options;
  const bearer = await keeper.bearer({ signal });
  try {
    const info = await sendFile(parts, file, options, bearer.token).catch(async (error) => {
      // A refused token is refused before the file is looked at. Only a Blob can surely be read a second time.
      if (!refusesToken(error) || 'uri' in file) throw error;
      return sendFile(parts, file, options, (await keeper.bearer({ signal, refused: bearer })).token);
    });
    keeper.note({ online: true });
    return info;
  } catch (error) {
    if (isFoyerError(error, 'client/network')) keeper.note({ online: false });
    throw error;
  }
}

/** @internal One try, with the bearer given. */
export async function sendFile(
  { options: client, fetch: fetchNow, emit }: Pick<Parts, 'options' | 'fetch' | 'emit'>,
  file: Blob | NativeFile,
  { visibility, name, onProgress, ...call }: UploadOptions,
  token: string,
): Promise<FileInfo> {
  const [method, path] = ('POST /files' satisfies Route).split(' ') as [string, string];
  const headers = {
    ...client.headers,
    ...call.headers,
    'X-App-Key': client.appKey,
    Accept: 'application/json',
    Authorization: `Bearer ${token}`,
  };
  const form = formOf(file, visibility, name);
  const elapsedMs = stopwatch();
  let response: Response | undefined;
  try {
    return await bounded(
      async (signal) => {
        const total = 'uri' in file ? undefined : file.size;
        const url = client.baseUrl.replace(/\/+$/, '') + path;
        const xhr = client.fetch === undefined;
        response = await sendForm(
          { url, headers, form, total, signal, onProgress },
          xhr ? undefined : fetchNow,
        );
        const info = dataOf(response, await response.text()) as FileInfo;
        onProgress?.({ loaded: info.size, total: info.size });
        return info;
      },
      call.timeoutMs ?? uploadTimeoutMs,
      call.signal,
    );
  } catch (cause) {
    if (isFoyerError(cause)) throw cause;
    throw new FoyerError('client/network', 'The service could not be reached.', { cause });
  } finally {
    const requestId = requestIdOf(response);
    emit({
      type: 'request',
      method,
      path,
      status: response?.status ?? 0,
      durationMs: elapsedMs(),
      requestId,
    });
  }
}

function formOf(file: Blob | NativeFile, visibility?: FileVisibility, name?: string): FormData {
  try {
    const form = new FormData();
    if (visibility) form.append('visibility', visibility);
    if ('uri' in file) form.append('file', (name ? { ...file, name } : file) as unknown as Blob);
    else form.append('file', file, name ?? (file as Blob & { name?: string }).name ?? 'file');
    return form;
  } catch (cause) {
    throw new FoyerError('client/invalid-argument', `The file cannot be sent: ${cause}`, { cause });
  }
}
