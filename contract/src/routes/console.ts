// The apps of a team member, and the teams of apps.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { listUpTo } from '../answer-values.js';
import { text } from '../input-values.js';
import { invitationHours, maxAppNameCharacters, membersPerApp, rateLimits } from '../limits.js';
import { meta } from '../metadata.js';
import { AuditEntry, AuditLogQuery } from '../schemas/audit.js';
import {
  AppNameInput,
  ConsoleApp,
  ConsoleMe,
  Invitation,
  Member,
  MemberInput,
  MemberTrace,
  NewInvitation,
  Role,
  ServiceOwner,
  SlugInput,
  TeamSettings,
  TeamSettingsPatch,
} from '../schemas/console.js';
import { dataEnvelope, PageQuery, pageOf } from '../schemas/envelopes.js';
import { Ulid } from '../schemas/values.js';

const c = initContract();

const AppPath = z.object({
  app_id: Ulid.meta({ description: 'ID of the app, or `console` for the owners.' }),
});
const MemberPath = AppPath.extend({ uid: Ulid.meta({ description: 'ID of the member.' }) });
const KeyPath = AppPath.extend({ id: Ulid.meta({ description: 'ID of the secret key.' }) });
const InvitationPath = AppPath.extend({ id: Ulid.meta({ description: 'ID of the invitation.' }) });

export const consoleRoutes = c.router(
  {
    me: {
      method: 'GET',
      path: '/me',
      summary: 'Read the signed-in member',
      description:
        'The profile, email, password and sessions of a member are changed like those of any user (`/me`).',
      responses: { 200: dataEnvelope(ConsoleMe) },
      metadata: meta({ role: null, audit: null, errors: [] }),
    },
    listApps: {
      method: 'GET',
      path: '/apps',
      summary: "List the member's apps",
      description:
        'The apps in which the member has a role, oldest first; for an owner of the service, all apps.',
      query: PageQuery.extend({
        q: text({ min: 1, max: maxAppNameCharacters })
          .optional()
          .meta({ description: 'Part of the name or slug, in any case.', example: 'orch' }),
      }),
      responses: { 200: dataEnvelope(pageOf(ConsoleApp)) },
      metadata: meta({ role: null, audit: null, errors: [] }),
    },
    getApp: {
      method: 'GET',
      path: '/apps/:app_id',
      summary: "Read one of the member's apps",
      description: 'Also returns apps that are disabled.',
      pathParams: AppPath,
      responses: { 200: dataEnvelope(ConsoleApp) },
      metadata: meta({ role: 'viewer', audit: null, errors: [] }),
    },
    createApp: {
      method: 'POST',
      path: '/apps',
      summary: 'Create an app',
      description:
        'For owners of the service. The app has no secret key yet; create one with `POST /admin/keys`.',
      body: z.strictObject({ name: AppNameInput, slug: SlugInput.optional() }),
      responses: { 201: dataEnvelope(ConsoleApp) },
      metadata: meta({
        role: 'owner',
        audit: 'app.created',
        idempotencyKey: true,
        errors: ['console/slug-taken'],
      }),
    },
    updateApp: {
      method: 'PATCH',
      path: '/apps/:app_id',
      summary: 'Rename, disable or enable an app',
      description:
        'Disabled, the app rejects every call with its keys (`request/invalid-app-key`) within five seconds; nothing ' +
        'is deleted, and sessions continue when it is enabled again. Members still reach it with `/console`. Recorded as ' +
        '`app.disabled` and `app.enabled`, and a new name as below. The app `console` cannot be changed.',
      pathParams: AppPath,
      body: z
        .strictObject({
          name: AppNameInput,
          enabled: z
            .boolean()
            .meta({ description: 'False to reject calls with the keys of the app.', example: true }),
        })
        .partial(),
      responses: { 200: dataEnvelope(ConsoleApp) },
      metadata: meta({
        role: 'owner',
        audit: 'app.renamed',
        recentSignIn: true,
        errors: ['console/not-available'],
      }),
    },
    listMembers: {
      method: 'GET',
      path: '/apps/:app_id/members',
      summary: 'List the members of an app',
      description:
        'Oldest first. Owners of the service belong to every app; they are the members of the app `console`.',
      pathParams: AppPath,
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(Member)) },
      metadata: meta({ role: 'viewer', audit: null, errors: [] }),
    },
    listOwners: {
      method: 'GET',
      path: '/apps/:app_id/owners',
      summary: 'List the owners of the service',
      description: 'Oldest first. They own every app, without being listed among its members.',
      pathParams: AppPath,
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(ServiceOwner)) },
      metadata: meta({ role: 'viewer', audit: null, errors: [] }),
    },
    invite: {
      method: 'POST',
      path: '/apps/:app_id/members',
      summary: 'Invite a member',
      description:
        `Mails a link that can be accepted once within ${invitationHours.member / 24} days. Another invitation of the ` +
        `same email replaces the one before. An app has at most ${membersPerApp} members and pending invitations. The ` +
        `app \`console\` has owners only. A member, and the app, can send ${rateLimits.invitation.limit} invitations an ` +
        `hour and ${rateLimits['invitation-day'].limit} a day.`,
      pathParams: AppPath,
      body: MemberInput,
      responses: { 201: dataEnvelope(NewInvitation) },
      metadata: meta({
        role: 'owner',
        audit: 'member.invited',
        recentSignIn: true,
        idempotencyKey: true,
        alsoLimitedBy: ['invitation', 'invitation-day'],
        errors: ['console/already-a-member', 'console/too-many-members'],
      }),
    },
    updateMember: {
      method: 'PATCH',
      path: '/apps/:app_id/members/:uid',
      summary: 'Change the role of a member',
      description:
        'Effective with the next call of the member. A member who is no longer an owner loses the pending invitations ' +
        'that the member sent for the app. Members of the app `console` are owners and cannot have another role.',
      pathParams: MemberPath,
      body: z.strictObject({ role: Role }),
      responses: { 200: dataEnvelope(Member) },
      metadata: meta({
        role: 'owner',
        audit: 'member.role_changed',
        recentSignIn: true,
        errors: ['console/member-not-found'],
      }),
    },
    removeMember: {
      method: 'DELETE',
      path: '/apps/:app_id/members/:uid',
      summary: 'Remove a member',
      description:
        'Effective with the next call of the member, whose pending invitations are revoked: those that the member sent ' +
        'for the app, or for every app when an owner of the service is removed. The account is kept, and can be invited ' +
        'again.',
      pathParams: MemberPath,
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({
        role: 'owner',
        audit: 'member.removed',
        recentSignIn: true,
        errors: ['console/member-not-found', 'console/last-owner'],
      }),
    },
    listTraces: {
      method: 'GET',
      path: '/apps/:app_id/members/:uid/traces',
      summary: 'List what a member leaves in an app',
      description:
        'What the member created or changed and could use after being removed, newest first: revoke the keys, check the ' +
        'webhooks and rotate their secrets, and replace credentials. Also for a member who was removed before. From the ' +
        'audit log, so nothing older than its retention. URLs of files that the member created end with the membership.',
      pathParams: MemberPath,
      responses: { 200: dataEnvelope(z.object({ items: listUpTo(2_500, MemberTrace) })) },
      metadata: meta({ role: 'owner', audit: null, errors: [] }),
    },
    listTracesOfKey: {
      method: 'GET',
      path: '/apps/:app_id/keys/:id/traces',
      summary: 'List what a secret key leaves in an app',
      description:
        'Webhooks and settings that were created or changed with the key, and which whoever had it could use after it is ' +
        'revoked, newest first: check the webhooks, rotate their secrets, and replace credentials. Also for a key that was ' +
        'revoked before. From the audit log, so nothing older than its retention.',
      pathParams: KeyPath,
      responses: { 200: dataEnvelope(z.object({ items: listUpTo(2_500, MemberTrace) })) },
      metadata: meta({ role: 'admin', audit: null, errors: [] }),
    },
    listInvitations: {
      method: 'GET',
      path: '/apps/:app_id/invitations',
      summary: 'List the pending invitations',
      description: 'Oldest first; without those that have expired.',
      pathParams: AppPath,
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(Invitation)) },
      metadata: meta({ role: 'owner', audit: null, errors: [] }),
    },
    revokeInvitation: {
      method: 'DELETE',
      path: '/apps/:app_id/invitations/:id',
      summary: 'Revoke an invitation',
      description: 'The link can no longer be accepted.',
      pathParams: InvitationPath,
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({
        role: 'owner',
        audit: 'member.invitation_revoked',
        errors: ['console/invitation-not-found'],
      }),
    },
    getSettings: {
      method: 'GET',
      path: '/settings',
      summary: 'Read the settings of the team accounts',
      description: 'For owners of the service.',
      responses: { 200: dataEnvelope(TeamSettings) },
      metadata: meta({ role: 'owner', audit: null, errors: [] }),
    },
    updateSettings: {
      method: 'PATCH',
      path: '/settings',
      summary: 'Change the settings of the team accounts',
      description:
        'For owners of the service. To require a second factor, the caller needs a session that was started with one.',
      body: TeamSettingsPatch,
      responses: { 200: dataEnvelope(TeamSettings) },
      metadata: meta({
        role: 'owner',
        audit: 'settings.updated',
        recentSignIn: true,
        errors: [],
      }),
    },
    removeFactors: {
      method: 'DELETE',
      path: '/members/:uid/factors',
      summary: 'Remove the second factor of a member',
      description:
        'For owners of the service, to help a member who lost the device with the authenticator app or the passkey. Removes the ' +
        'authenticator app, the recovery codes and all passkeys, and records `passkey.removed` for each of these. Ends all ' +
        'sessions of the member, and mails notices. Where a second factor is required, the member enrolls a new one at the next ' +
        'sign-in. `auth/second-factor-not-enrolled`: the member has neither an authenticator app nor a passkey.',
      pathParams: z.object({ uid: Ulid.meta({ description: 'ID of the member.' }) }),
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({
        role: 'owner',
        audit: 'user.second_factor_removed',
        recentSignIn: true,
        errors: ['console/member-not-found', 'auth/second-factor-not-enrolled'],
      }),
    },
    listAuditLog: {
      method: 'GET',
      path: '/audit-log',
      summary: 'Read the audit log of the team accounts',
      description:
        'For owners of the service: sign-ins and security events of team accounts, and changes of the owners, newest ' +
        'first. Changes of the team of an app are in the audit log of that app. The actions, retention and counted ' +
        'entries are those of `GET /admin/audit-log`; users are team accounts here, so that `actor_name` is also the ' +
        'email of `user:<uid>`.',
      query: AuditLogQuery,
      responses: { 200: dataEnvelope(pageOf(AuditEntry)) },
      metadata: meta({ role: 'owner', audit: null, errors: [] }),
    },
  },
  { pathPrefix: '/console', metadata: meta({ auth: 'console', rateLimit: 'admin' }) },
);
