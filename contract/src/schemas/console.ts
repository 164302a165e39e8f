// The team of an app, and the apps that a team member sees.
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import { type AuditAction, auditActions } from '../audit-actions.js';
import { text, trimmedText } from '../input-values.js';
import {
  maxAppNameCharacters,
  maxEmailCharacters,
  maxNameCharacters,
  maxSlugCharacters,
  maxUrlCharacters,
} from '../limits.js';
import { roles } from '../roles.js';
import { EmailInput } from './credentials.js';
import { User } from './user.js';
import { Timestamp, Ulid } from './values.js';

export const Role = z.enum(roles).meta({
  description:
    '`viewer` reads; `support` also helps users to sign in, disables and enables them, and adds points; `editor` changes ' +
    'content instead (remote config, data, files, push, points); `admin` does both, and manages users, webhooks, settings and keys; `owner` also manages the team and enables and disables the app.',
  example: 'editor',
});

export const AppNameInput = trimmedText({ min: 1, max: maxAppNameCharacters }).meta({
  description: 'The name that users see in mails.',
  example: 'Orchard',
});

export const SlugInput = text({ max: maxSlugCharacters })
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens')
  .refine((slug) => slug !== 'console', 'is reserved')
  .meta({
    description: 'A readable name for the command line; derived from the name by default.',
    example: 'orchard',
  });

export const ConsoleApp = z
  .object({
    id: Ulid.meta({ description: 'The app.' }),
    slug: textUpTo(maxSlugCharacters).meta({ description: 'Unique in this service.', example: 'orchard' }),
    name: textUpTo(maxAppNameCharacters).meta({
      description: 'The name that users see.',
      example: 'Orchard',
    }),
    app_key: textUpTo(100).meta({
      description: 'Public: identifies the app in `X-App-Key`.',
      example: 'pk_2sYk0a8JvQ1mT4zN7cRbXeHd',
    }),
    enabled: z
      .boolean()
      .meta({ description: 'False: calls with the keys of the app are rejected.', example: true }),
    role: Role.meta({ description: 'The role of the caller in this app.' }),
    created_at: Timestamp.meta({ description: 'When the app was created.' }),
  })
  .meta({ id: 'ConsoleApp', description: 'An app, as a member of its team sees it.' });
export type ConsoleApp = z.infer<typeof ConsoleApp>;

export const ConsoleMe = z
  .object({
    user: User,
    owner: z.boolean().meta({
      description: 'True for owners of the service: they own every app and create apps.',
      example: true,
    }),
    second_factor: z.boolean().meta({
      description: 'Whether the member has enrolled an authenticator app.',
      example: true,
    }),
    console_app_id: Ulid.meta({
      description: 'The reserved app `console`: its members are the owners of the service.',
    }),
  })
  .meta({ id: 'ConsoleMe', description: 'The signed-in team member.' });
export type ConsoleMe = z.infer<typeof ConsoleMe>;

const name = textUpTo(maxNameCharacters).nullable();

export const Member = z
  .object({
    uid: Ulid.meta({ description: 'The member.' }),
    email: textUpTo(maxEmailCharacters).meta({ description: 'The email.', example: 'ada@example.com' }),
    first_name: name.meta({ description: 'Null until it is set.', example: 'Ada' }),
    last_name: name.meta({ description: 'Null until it is set.', example: 'Lovelace' }),
    role: Role,
    second_factor: z.boolean().meta({
      description: 'Whether the member has enrolled an authenticator app.',
      example: true,
    }),
    created_at: Timestamp.meta({ description: 'When the member joined.' }),
  })
  .meta({ id: 'Member', description: 'A member of the team of an app.' });
export type Member = z.infer<typeof Member>;

export const ServiceOwner = Member.pick({ uid: true, email: true, first_name: true, last_name: true }).meta({
  id: 'ServiceOwner',
  description: 'An owner of the service, as the members of every app see one.',
});
export type ServiceOwner = z.infer<typeof ServiceOwner>;

export const memberTraces = ['secret_key', 'webhook', 'setting', 'collection', 'push_message'] as const;

export const MemberTrace = z
  .object({
    kind: z.enum(memberTraces).meta({
      description:
        '`secret_key`: an active key that the member created; `webhook`: a webhook that was created or redirected, or whose ' +
        'secret was seen; `setting`: a setting of sign-in, or a credential, that was changed; `collection`: a collection that is ' +
        'open to clients, and was created or given another access mode; `push_message`: a scheduled message that is not sent yet.',
      example: 'webhook',
    }),
    id: textUpTo(100).meta({
      description: 'The key, the webhook or the message; the name of a setting or a collection.',
      example: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
    }),
    name: textUpTo(maxUrlCharacters).meta({
      description:
        'The name of the key, the URL of the webhook, the setting, the collection, or the title of the message.',
      example: 'https://backend.example.com/webhooks/foyer',
    }),
    action: z.enum(Object.keys(auditActions) as [AuditAction, ...AuditAction[]]).meta({
      description: 'The last action of the member or with the key on it, as in the audit log.',
      example: 'webhook.created',
    }),
    at: Timestamp.meta({ description: 'When the action was recorded.' }),
  })
  .meta({
    id: 'MemberTrace',
    description: 'What a member or a secret key leaves in an app: it could be used after the removal.',
  });
export type MemberTrace = z.infer<typeof MemberTrace>;

const teamSettings = {
  second_factor: z.enum(['optional', 'required']).meta({
    description:
      '`required`: every member needs a second factor. Calls of a session that was started without one are rejected with ' +
      '`auth/second-factor-required` until the member enrolls it, or reauthenticates with it.',
    example: 'required',
  }),
};

export const TeamSettings = z
  .object(teamSettings)
  .meta({ id: 'TeamSettings', description: 'The settings of all team accounts of the service.' });
export type TeamSettings = z.infer<typeof TeamSettings>;

export const TeamSettingsPatch = z.strictObject(teamSettings).partial();

const email = textUpTo(maxEmailCharacters);
const invitation = {
  id: Ulid.meta({ description: 'The invitation.' }),
  role: Role,
  created_at: Timestamp.meta({ description: 'When the invitation was sent.' }),
  expires_at: Timestamp.meta({ description: 'The invitation cannot be accepted after this time.' }),
};

export const Invitation = z
  .object({
    ...invitation,
    email: email.nullable().meta({
      description: 'The invited email; null for a link to an owner account that the command line printed.',
      example: 'ada@example.com',
    }),
  })
  .meta({ id: 'Invitation', description: 'A pending invitation to the team of an app.' });
export type Invitation = z.infer<typeof Invitation>;

export const NewInvitation = z
  .object({
    ...invitation,
    email: email.meta({ description: 'The invited email.', example: 'ada@example.com' }),
    link: textUpTo(500).meta({
      description:
        'A link to pass on, returned once: anyone who has it can accept the invitation. The mail has another one, which ' +
        'also verifies the email.',
      example:
        'https://accounts.example.com/dashboard/invitation#inv_2sYk0a8JvQ1mT4zN7cRbXeHd2sYk0a8JvQ1mT4zN7cR',
    }),
    mailed: z.boolean().meta({
      description: 'False if the service has no mail server, or has mailed this email too often.',
      example: true,
    }),
  })
  .meta({ id: 'CreatedInvitation', description: 'A new invitation, and its link.' });
export type NewInvitation = z.infer<typeof NewInvitation>;

export const InvitationToken = text({ max: 100 })
  .regex(/^inv_[A-Za-z0-9_-]{43}$/, 'must be the token of an invitation link')
  .meta({
    description: 'The token of the link.',
    example: 'inv_2sYk0a8JvQ1mT4zN7cRbXeHd2sYk0a8JvQ1mT4zN7cR',
  });

export const InvitationDetails = z
  .object({
    email: textUpTo(maxEmailCharacters).nullable().meta({
      description:
        'The invited email; null for a link that creates an owner of the service, who chooses an email.',
      example: 'ada@example.com',
    }),
    app_name: textUpTo(maxAppNameCharacters).nullable().meta({
      description: 'The app; null for an owner of the service, who owns every app.',
      example: 'Orchard',
    }),
    role: Role,
    has_account: z.boolean().meta({
      description: 'True if the email has a team account: its password is required to accept.',
      example: false,
    }),
    expires_at: Timestamp.meta({ description: 'The invitation cannot be accepted after this time.' }),
  })
  .meta({ id: 'InvitationDetails', description: 'What an invitation is for.' });
export type InvitationDetails = z.infer<typeof InvitationDetails>;

export const MemberInput = z.strictObject({
  email: EmailInput.meta({ description: 'The email to invite.' }),
  role: Role,
});
