// The export of everything that is stored about a user, for the user.
import * as z from 'zod';
import { fileBytes } from '../limits.js';
import { integer, Timestamp, Ulid } from './values.js';

export const userExportStatuses = ['none', 'pending', 'ready'] as const;

export const UserExport = z
  .object({
    status: z.enum(userExportStatuses).meta({
      description:
        '`none`: there is no export, or it has expired. `pending`: it is being written. `ready`: read it with `file_id`.',
      example: 'ready',
    }),
    requested_at: Timestamp.nullable().meta({ description: 'Null for `none`.' }),
    file_id: Ulid.nullable().meta({
      description:
        'The private file of the user; `GET /files/{id}/url` returns its URL. Null unless `ready`.',
    }),
    size: integer({ min: 0, max: fileBytes.max })
      .nullable()
      .meta({ description: 'The size of the file in bytes. Null unless `ready`.', example: 48_213 }),
    expires_at: Timestamp.nullable().meta({ description: 'When the file is deleted. Null unless `ready`.' }),
  })
  .meta({ id: 'UserExport', description: 'The latest export of the data of a user.' });
export type UserExport = z.infer<typeof UserExport>;
