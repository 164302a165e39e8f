// `files(client)`: uploads the signed-in user's files with progress, and reads, links to and deletes them.
import type { CallOptions, Client, RepeatableCallOptions } from '../api.js';
import { FoyerError, isFoyerError } from '../errors.js';
import type { FileInfo, FileUrl, FileVisibility } from '../generated/models.js';
import { badResponse } from '../http/envelope.js';
import { send } from '../http/send.js';
import { sentOnce, withBearer } from '../session/bearer.js';
import { call, callOptionalUser } from '../session/call.js';
import { type Core, coreOf, type Sender } from '../session/core.js';
import { merge } from '../session/session.js';
import type { CookieFetch } from './cookie-session.js';
import { sendForm, type UploadProgress } from './upload.js';

/** A file in React Native: its URI on the device, and the name and media type from the picker. */
export interface NativeFile {
  /** The URI of the file on the device. */
  uri: string;
  /** The name of the file. */
  name: string;
  /** The media type of the file. */
  type: string;
}

export interface UploadOptions extends CallOptions {
  /** Default: `private`, readable by the user and the app's backend only. */
  visibility?: FileVisibility | undefined;
  /** The file's name. Default: the name of the `File`. */
  name?: string | undefined;
  /**
   * Called while bytes are sent, and once when the upload completes; only then where the platform reports no progress.
   */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
}

export interface FileUrlOptions extends RepeatableCallOptions {
  /** Lifetime of the URL in seconds. Default: 900; at most a week. */
  expiresInSeconds?: number | undefined;
  /** Makes browsers save the file instead of displaying it. */
  download?: boolean | undefined;
}

export interface Files {
  /**
   * Uploads as the signed-in user. `timeoutMs` defaults to ten minutes. Not retried after a network failure, because
   * the service may have stored the file.
   */
  upload(file: Blob | NativeFile, options?: UploadOptions): Promise<FileInfo>;
  /** Returns the metadata of the user's own file, or of a public one, which requires no session. */
  get(id: string, options?: RepeatableCallOptions): Promise<FileInfo>;
  /** Returns a temporary URL of the content, for an `<img>` or a download. */
  url(id: string, options?: FileUrlOptions): Promise<FileUrl>;
  /** Deletes the file. All of its URLs stop working at once. */
  delete(id: string, options?: RepeatableCallOptions): Promise<void>;
}

const uploadTimeoutMs = 600_000;

/**
 * Returns the file methods of a client. Throws `client/invalid-argument` when `client` was not created by
 * `createClient`.
 *
 * @example
 * const { id } = await files(client).upload(input.files[0], {
 *   onProgress: ({ loaded, total }) => { if (total) bar.value = loaded / total; },
 * });
 * image.src = (await files(client).url(id)).url;
 */
export function files(client: Client): Files {
  const core = coreOf(client);
  return {
    upload: (file, options = {}) => upload(core, file, options),
    get: (id, options) => callOptionalUser<FileInfo>(core, 'GET /files/:id', { params: { id } }, options),
    url: (id, { expiresInSeconds, download, ...options } = {}) =>
      callOptionalUser<FileUrl>(
        core,
        'GET /files/:id/url',
        { params: { id }, query: { expires_in: expiresInSeconds, download } },
        options,
      ),
    delete: (id, options) => call<void>(core, 'DELETE /files/:id', { params: { id } }, options),
  };
}

async function upload(core: Core, file: Blob | NativeFile, options: UploadOptions): Promise<FileInfo> {
  try {
    // The service rejects the token before it reads the file. Only a Blob can be read a second time.
    const send = (token: string) => sendFile(core, file, options, token);
    const info = await withBearer(core, options.signal, isNative(file) ? sentOnce(send) : send);
    merge(core, { online: true });
    return info;
  } catch (error) {
    // The time limit says nothing about the network: the file may be large.
    if (isFoyerError(error) && /^client\/(network|bad)/.test(error.code)) merge(core, { online: false });
    throw error;
  }
}

/** @internal One attempt, with the given bearer token. */
export async function sendFile(
  sender: Sender,
  file: Blob | NativeFile,
  { visibility, name, onProgress, ...call }: UploadOptions,
  token: string,
): Promise<FileInfo> {
  const form = formOf(file, visibility, name);
  const total = isNative(file) ? undefined : file.size;
  /** An error of the app's listener must not fail the upload, which the service may have stored. */
  const report = (progress: UploadProgress) => {
    try {
      onProgress?.(progress);
    } catch (error) {
      sender.emit({ type: 'listener-error', error });
    }
  };
  const own = sender.options.fetch as CookieFetch | undefined;
  const fetchGiven = own && ('given' in own ? own.given : sender.fetchNow);
  const fetchNow = async (url: unknown, init?: RequestInit) => {
    const headers: Record<string, string> = {};
    (init!.headers as Headers).forEach((value, header) => {
      headers[header] = value;
    });
    return sendForm(
      {
        ...{ url: String(url), headers, form, total, isNative: isNative(file) },
        signal: init!.signal!,
        onProgress: onProgress && report,
      },
      fetchGiven,
    );
  };
  const options = { ...call, timeoutMs: call.timeoutMs ?? uploadTimeoutMs };
  const info = await send<FileInfo | undefined>({ ...sender, fetchNow }, 'POST /files', {}, options, token);
  // A proxy can answer too.
  if (!info?.id) throw badResponse();
  report({ loaded: info.size, total: info.size });
  return info;
}

/** False also for what is no file, such as that of an input in which none was chosen. */
function isNative(file: Blob | NativeFile): file is NativeFile {
  return 'uri' in Object(file);
}

function formOf(file: Blob | NativeFile, visibility?: FileVisibility, name?: string): FormData {
  try {
    const form = new FormData();
    if (visibility) form.append('visibility', visibility);
    // The copy has these properties only: those of Expo's `File` are inherited, and a spread would lose them.
    if (isNative(file)) {
      const part = { uri: file.uri, name: name ?? file.name, type: file.type };
      form.append('file', part as unknown as Blob);
    } else form.append('file', file, name ?? (file as Blob & { name?: string }).name ?? 'file');
    return form;
  } catch (cause) {
    throw new FoyerError('client/invalid-argument', `The file is invalid: ${cause}`, { cause });
  }
}
