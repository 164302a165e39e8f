// Errors of uploads and file URLs.
import { expect } from 'vitest';
import { type Sent, unknownId } from '../contract-routes.js';
import type { Context, ReachedOf } from './context.js';

export function fileErrors({ service, asUser, asBackend, send, on }: Context): ReachedOf<'files'> {
  function formOf(bytes: string): FormData {
    const form = new FormData();
    form.append('file', new Blob([bytes]), 'file.txt');
    return form;
  }

  /** Uploads as a user of an app with these limits. */
  const uploadUnder = (files: object) =>
    on('files.upload', async () => {
      const { app, secretKey } = await service.newApp();
      const { appKey } = app;
      const changed = await send('apps.updateSettings', { appKey, token: secretKey, body: { files } });
      expect(changed.status).toBe(200);
      const { tokens } = await service.signUp({ appKey });
      return { token: tokens.access_token, appKey, form: formOf('more than ten bytes') };
    });

  /** A file that was just uploaded, by its signed URL. */
  const read = (more: Sent = {}, end = '', after = 0) =>
    on(
      'fileBytes.read',
      async () => {
        const { id } = (await send('files.upload', { ...asBackend, form: formOf('hello') })).json.data;
        const { url } = (await send('files.url', { ...asBackend, params: { id } })).json.data;
        const query = new URL(url).search + end;
        return { params: { app_id: service.app.app.id, id }, query, ...more };
      },
      { after },
    );

  return {
    'files/not-found': on('files.get', { ...asUser, params: { id: unknownId } }),
    'files/missing-file': on('files.upload', { ...asBackend, form: new FormData() }),
    'files/too-large': uploadUnder({ max_bytes: 10 }),
    'files/type-not-allowed': uploadUnder({ allowed_types: ['image/*'] }),
    'files/quota-exceeded': uploadUnder({ user_quota_bytes: 10 }),
    'files/invalid-signature': read({}, 'x'),
    'files/url-expired': read({}, '', 900_000),
    'files/range-not-satisfiable': read({ headers: { range: 'bytes=99-' } }),
  };
}
