// Files: what is stored about them, the upload form and the signed URLs.
import { z } from 'zod';
import { textUpTo } from '../answer-values.js';
import { fileBytes, fileVisibilities, maxFileNameCharacters, maxUrlCharacters } from '../limits.js';
import { Timestamp, Ulid } from './values.js';

export const Visibility = z.enum(fileVisibilities);

export const File = z
  .object({
    id: Ulid,
    name: textUpTo(maxFileNameCharacters).meta({
      description: 'The name that the client gave, without paths and characters that no name should have.',
      example: 'holiday.jpg',
    }),
    content_type: textUpTo(255).meta({
      description: 'What the bytes are recognised as; `application/octet-stream` where nothing is.',
      example: 'image/jpeg',
    }),
    size: z.number().int().min(0).max(fileBytes.max).meta({ description: 'In bytes.', example: 48_213 }),
    sha256: textUpTo(64).meta({
      description: 'Of the bytes, in hex.',
      example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    }),
    visibility: Visibility.meta({
      description: '`private`: its owner and the backend; `public`: anybody who has the address.',
      example: 'private',
    }),
    public_url: textUpTo(maxUrlCharacters)
      .nullable()
      .meta({ description: 'The lasting address of a public file; null for a private one.', example: null }),
    owner_uid: Ulid.nullable().meta({
      description: 'The user who uploaded it; null when a secret key did.',
      example: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
    }),
    created_at: Timestamp.meta({ description: 'When the upload was complete.' }),
  })
  .meta({ id: 'File', description: 'A file, without its bytes.' });
export type File = z.infer<typeof File>;

export const FileUrl = z
  .object({
    url: textUpTo(maxUrlCharacters).meta({
      description:
        'Opens the bytes until `expires_at`, without any header; dead at once when the file is deleted.',
      example:
        'https://accounts.example.com/api/v2/apps/01JC4Q7M0RZ9X2V5T8W3Y6K1NB/files/01JC4Q7M0RZ9X2V5T8W3Y6K1NC/content?expires=1767323945&signature=Xh0',
    }),
    expires_at: Timestamp.meta({ description: 'From this moment `url` is answered `files/url-expired`.' }),
    public_url: File.shape.public_url,
  })
  .meta({ id: 'FileUrl', description: 'Where the bytes of a file are.' });
export type FileUrl = z.infer<typeof FileUrl>;

/** The form of an upload. The service reads it as it comes: a `visibility` may stand before the file or after it. */
export const UploadForm = z
  .object({
    file: z.string().meta({
      description: 'The bytes of the file, with its name. One alone.',
      format: 'binary',
    }),
    visibility: Visibility.default('private').meta({
      description: '`private` when absent.',
      example: 'private',
    }),
  })
  .meta({ description: 'Other fields are ignored.' });

/** The bytes of a file: no JSON, and no envelope. */
export const FileContent = z.unknown().meta({
  description: 'The bytes, or the part of them that was asked for.',
  type: 'string',
  format: 'binary',
});
