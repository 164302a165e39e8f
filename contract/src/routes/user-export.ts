// The export of everything that is stored about a user: requested by the user, or by the backend of the app and its team.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { userExportDays, userExportPauseHours } from '../limits.js';
import { meta } from '../metadata.js';
import { dataEnvelope } from '../schemas/envelopes.js';
import { UserExport } from '../schemas/user-export.js';
import { Ulid } from '../schemas/values.js';

const c = initContract();

const UserPath = z.object({ uid: Ulid.meta({ description: 'The `uid` of the user.' }) });

const content =
  'The file is JSON: profile, sessions, identities, passkeys, second factor, points with their ledger, records, metadata of ' +
  'files, push devices, events and audit entries of the user, without secrets. It becomes a private file of the user, to ' +
  `whom a notice is mailed; it counts against no quota, and is deleted after ${userExportDays} days, or when a new export is requested.`;

export const userExport = c.router({
  request: {
    method: 'POST',
    path: '/me/export',
    summary: 'Request an export of the data of the signed-in user',
    description:
      `${content} At most one request in ${userExportPauseHours} hours; while an export is being written, a repeated request ` +
      'returns it.',
    body: c.noBody(),
    responses: { 202: dataEnvelope(UserExport) },
    metadata: meta({
      auth: 'signed-in',
      rateLimit: 'client',
      recentSignIn: true,
      audit: 'user.export_requested',
      errors: [],
    }),
  },
  get: {
    method: 'GET',
    path: '/me/export',
    summary: 'Read the state of the export of the signed-in user',
    description: 'The latest export, whoever requested it.',
    responses: { 200: dataEnvelope(UserExport) },
    metadata: meta({ auth: 'signed-in', rateLimit: 'client', errors: [] }),
  },
  requestOfUser: {
    method: 'POST',
    path: '/admin/users/:uid/export',
    summary: 'Request an export of the data of a user',
    description: `For a user who asks the team for it. ${content} Your backend reads the file like any other. Can be requested at any time.`,
    pathParams: UserPath,
    body: c.noBody(),
    responses: { 202: dataEnvelope(UserExport) },
    metadata: meta({
      auth: 'admin',
      rateLimit: 'admin',
      scope: 'users:write',
      audit: 'user.export_requested',
      idempotencyKey: true,
      errors: ['auth/user-not-found'],
    }),
  },
  getOfUser: {
    method: 'GET',
    path: '/admin/users/:uid/export',
    summary: 'Read the state of the export of a user',
    description: 'The latest export, whoever requested it.',
    pathParams: UserPath,
    responses: { 200: dataEnvelope(UserExport) },
    metadata: meta({
      auth: 'admin',
      rateLimit: 'admin',
      scope: 'users:read',
      audit: null,
      errors: ['auth/user-not-found'],
    }),
  },
});
