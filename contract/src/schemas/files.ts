// Files: what is stored about them, the upload form and the signed URLs.
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import { fileBytes, fileVisibilities, maxFileNameCharacters, maxUrlCharacters } from '../limits.js';
import { integer, Timestamp, Ulid } from './values.js';

export const Visibility = z.enum(fileVisibilities);

export const File = z
  .object({
    id: Ulid,
    name: textUpTo(maxFileNameCharacters).meta({
      description: 'The name sent by the client, without paths and unsafe characters.',
      example: 'holiday.jpg',
    }),
    content_type: textUpTo(255).meta({
      description: 'The type detected from the bytes; `application/octet-stream` if it is not recognised.',
      example: 'image/jpeg',
    }),
    size: integer({ min: 0, max: fileBytes.max }).meta({
      description: 'The size in bytes.',
      example: 48_213,
    }),
    sha256: textUpTo(64).meta({
      description: 'The SHA-256 of the bytes, in hex.',
      example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    }),
    visibility: Visibility.meta({
      description:
        '`private`: accessible to its owner and the backend; `public`: accessible to anyone who has the URL.',
      example: 'private',
    }),
    public_url: textUpTo(maxUrlCharacters)
      .nullable()
      .meta({ description: 'The permanent URL of a public file; null for a private one.', example: null }),
    owner_uid: Ulid.nullable().meta({
      description: 'The user who uploaded the file; null if it was uploaded with a secret key.',
      example: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
    }),
    created_at: Timestamp.meta({ description: 'When the upload was complete.' }),
  })
  // The id is not `File`: generated clients would take it for the type of that name of their platform.
  .meta({ id: 'FileMetadata', description: 'The metadata of a file.' });
export type File = z.infer<typeof File>;

export const FileUrl = z
  .object({
    url: textUpTo(maxUrlCharacters).meta({
      description:
        'Returns the bytes until `expires_at`, without any header; stops working when the file is deleted.',
      example:
        'https://accounts.example.com/api/v2/apps/01JC4Q7M0RZ9X2V5T8W3Y6K1NB/files/01JC4Q7M0RZ9X2V5T8W3Y6K1NC/content?expires=1767323945&signature=Xh0',
    }),
    expires_at: Timestamp.meta({ description: 'After this time `url` returns `files/url-expired`.' }),
    public_url: File.shape.public_url,
  })
  .meta({ id: 'FileUrl', description: 'The URLs for the bytes of a file.' });
export type FileUrl = z.infer<typeof FileUrl>;

/** The form of an upload. The service parses it as a stream: `visibility` may precede or follow the file. */
export const UploadForm = z
  .object({
    file: z.string().meta({
      description: 'The bytes of the file, with its name. Exactly one file.',
      format: 'binary',
    }),
    visibility: Visibility.default('private').meta({
      description: '`private` by default.',
      example: 'private',
    }),
  })
  .meta({ description: 'Other fields are ignored.' });

/** The bytes of a file, without JSON and without an envelope. */
export const FileContent = z.unknown().meta({
  description: 'The bytes, or the requested range of them.',
  type: 'string',
  format: 'binary',
});
