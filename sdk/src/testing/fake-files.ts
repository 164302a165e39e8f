// The files of the fake service, and their bytes at the URLs that it returns.
import type { FileInfo } from '../generated/models.js';
import type { Route } from '../generated/routes.js';
import { sha256 } from '../sha256.js';
import {
  type Call,
  data,
  forAnyUser,
  forUser,
  type Handlers,
  noContent,
  Refusal,
  requireKnown,
  whole,
} from './fake-answer.js';
import type { FakeClock } from './fake-clock.js';
import { contentTypeOf } from './fake-content-type.js';
import { accept, oneOf } from './fake-input.js';

export interface StoredFile {
  info: FileInfo;
  bytes: Uint8Array;
}

const maxBytes = 25 * 1_024 * 1_024;
const maxUrlSeconds = 604_800;

export function fileHandlers(clock: FakeClock, filesUrl: string) {
  const files = new Map<string, StoredFile>();

  function upload({ form, session }: Call & { session: { uid: string } }) {
    if (!form) throw new Refusal('request/unsupported-media-type');
    const { visibility } = accept(
      { visibility: form.visibility ?? 'private' },
      { visibility: oneOf('private', 'public') },
    );
    if (!form.file) throw new Refusal('files/missing-file');
    const { name, bytes } = form.file;
    if (bytes.length > maxBytes) throw new Refusal('files/too-large');
    const id = clock.newId();
    const text = binary(bytes);
    const info: FileInfo = {
      id,
      name,
      content_type: contentTypeOf(text, form.file.type),
      size: bytes.length,
      sha256: sha256(text),
      visibility,
      public_url: visibility === 'public' ? `${filesUrl}/${id}/content` : null,
      owner_uid: session.uid,
      created_at: clock.timestamp(),
    };
    files.set(id, { info, bytes });
    return data(info, 201);
  }

  function find({ params, session }: Call): StoredFile {
    const file = files.get(params.id!);
    if (file && (file.info.visibility === 'public' || file.info.owner_uid === session?.uid)) return file;
    throw new Refusal('files/not-found');
  }

  function urlOf(call: Call) {
    const { info } = find(call);
    const { query } = call;
    requireKnown(query, ['expires_in', 'download']);
    accept({ download: query.get('download') ?? 'false' }, { download: oneOf('true', 'false') });
    const seconds = whole(query.get('expires_in') ?? '900', 1, maxUrlSeconds, 'expires_in');
    const expiresAtMs = clock.now() + seconds * 1_000;
    const url = `${filesUrl}/${info.id}/content?expires=${Math.floor(expiresAtMs / 1_000)}&signature=fake`;
    return data({ url, expires_at: clock.timestamp(expiresAtMs), public_url: info.public_url });
  }

  const handlers = {
    'POST /files': forUser(upload),
    'GET /files/:id': forAnyUser((call) => data(find(call).info)),
    'GET /files/:id/url': forAnyUser(urlOf),
    'DELETE /files/:id': forUser((call) => {
      const { info } = find(call);
      if (info.owner_uid !== call.session.uid) throw new Refusal('files/not-found');
      files.delete(info.id);
      return noContent;
    }),
  } satisfies Partial<Handlers<Route>>;

  /** The file at a URL of this service, as it is now. */
  function at(id: string, query: URLSearchParams): StoredFile {
    const file = files.get(id);
    if (!file) throw new Refusal('files/not-found');
    if (file.info.visibility === 'public' && !query.has('expires')) return file;
    if (query.get('signature') !== 'fake') throw new Refusal('files/invalid-signature');
    if (Number(query.get('expires')) * 1_000 < clock.now()) throw new Refusal('files/url-expired');
    return file;
  }

  return { handlers, files, at };
}

/** The form of an upload. */
export async function formOf(form: FormData): Promise<Call['form']> {
  const [file, visibility] = [form.get('file'), form.get('visibility')];
  if (file === null || typeof file === 'string') return {};
  const bytes = new Uint8Array(await file.arrayBuffer());
  return {
    file: { name: file.name, type: file.type, bytes },
    ...(typeof visibility === 'string' && { visibility }),
  };
}

/** One character for each byte. */
function binary(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
