// Errors of uploads and file URLs.
import { expect } from 'vitest';
import type { Answer } from '../harness.js';
import type { Context, ReachedOf } from './context.js';

export function fileErrors({ service, token }: Context): ReachedOf<'files'> {
  return {
    'files/not-found': {
      route: 'files.get',
      ask: () => service.call('GET', '/files/01JC4Q7M0RZ9X2V5T8W3Y6K1NB', { token: token() }),
    },
    'files/missing-file': { route: 'files.upload', ask: () => upload(service.app.secretKey, null) },
    'files/too-large': { route: 'files.upload', ask: () => uploadUnder({ max_bytes: 10 }) },
    'files/type-not-allowed': {
      route: 'files.upload',
      ask: () => uploadUnder({ allowed_types: ['image/*'] }),
    },
    'files/quota-exceeded': { route: 'files.upload', ask: () => uploadUnder({ user_quota_bytes: 10 }) },
    'files/invalid-signature': {
      route: 'fileBytes.read',
      async ask() {
        const { url } = await fileAddress();
        return service.call('GET', `${url}x`);
      },
    },
    'files/url-expired': {
      route: 'fileBytes.read',
      async ask() {
        const { url } = await fileAddress();
        service.clock.advance(900_000);
        return service.call('GET', url);
      },
    },
    'files/range-not-satisfiable': {
      route: 'fileBytes.read',
      async ask() {
        const { url } = await fileAddress();
        return service.call('GET', url, { headers: { range: 'bytes=99-' } });
      },
    },
  };

  function upload(as: string, bytes: string | null, appKey = service.app.app.appKey) {
    const form = new FormData();
    if (bytes !== null) form.append('file', new Blob([bytes]), 'file.txt');
    return service.call('POST', '/files', { form, token: as, appKey });
  }

  /** By a user of an app with these limits. */
  async function uploadUnder(files: object): Promise<Answer> {
    const { app, secretKey } = await service.newApp();
    const changed = await service.call('PATCH', '/admin/settings', {
      appKey: app.appKey,
      token: secretKey,
      body: { files },
    });
    expect(changed.status).toBe(200);
    const { tokens } = await service.signUp({ appKey: app.appKey });
    return upload(tokens.access_token, 'more than ten bytes', app.appKey);
  }

  /** The URL of a file that was just uploaded, below /api/v2. */
  async function fileAddress(): Promise<{ url: string }> {
    const { data } = await upload(service.app.secretKey, 'hello');
    const asked = { token: service.app.secretKey };
    const answer = await service.call<{ url: string }>(
      'GET',
      `/files/${(data as { id: string }).id}/url`,
      asked,
    );
    return { url: answer.data.url.replace(/^.*\/api\/v2/, '') };
  }
}
