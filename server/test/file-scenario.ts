// The steps that file tests share: a service that stores files on disk or in S3, uploads, and the contents of the
// store.
import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ErrorCode, File as FoyerFile } from '@foyer/contract';
import { type TestServiceOptions, testService } from './harness.js';
import { expectRefusal } from './refusal.js';
import { startS3Server } from './s3-server.js';

export type StoreKind = 'disk' | 's3';

export type Upload = {
  bytes?: Uint8Array | string;
  name?: string;
  type?: string;
  visibility?: string;
  token?: string | undefined;
  appKey?: string;
  headers?: Record<string, string>;
};

export type FileScenario = Awaited<ReturnType<typeof fileScenario>>;

/** A picture of one pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export async function fileScenario(kind: StoreKind, options: TestServiceOptions = {}) {
  const s3 = kind === 's3' ? await startS3Server() : null;
  const directory = join(tmpdir(), `foyer-scenario-${randomUUID()}`);
  const service = await testService({
    ...options,
    config: {
      ...options.config,
      fileStore: s3
        ? { kind: 's3', ...s3, publicEndpoint: s3.endpoint, pathStyle: true }
        : { kind: 'disk', directory, chosen: true },
    },
    overrides: { ...options.overrides },
  });

  /** The bytes at a URL that the service returned; redirects are followed. */
  const open = (address: string | null, init?: RequestInit) => fetch(service.url + pathOf(address), init);

  return {
    service,
    upload(upload: Upload = {}) {
      const { bytes = png, name = 'pixel.png', type = 'application/octet-stream', visibility } = upload;
      const form = new FormData();
      if (visibility !== undefined) form.append('visibility', visibility);
      form.append('file', new Blob([bytes as string], { type }), name);
      const { token, appKey, headers } = upload;
      return service.call<FoyerFile>('POST', '/files', {
        form,
        token,
        ...(appKey !== undefined && { appKey }),
        ...(headers && { headers }),
      });
    },
    open,
    /** `open`, which must be refused. */
    async expectRefused(address: string | null, code: ErrorCode, init?: RequestInit): Promise<Response> {
      const answer = await open(address, init);
      expectRefusal({ status: answer.status, headers: answer.headers, text: await answer.text() }, code);
      return answer;
    },
    /** Everything in the store, parts of unfinished writes included. */
    async stored() {
      if (s3) return [...s3.objects.keys(), ...[...s3.uploads.values()].map(({ key }) => `${key} in parts`)];
      const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
      return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
    },
    async stop() {
      await service.stop();
      await s3?.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The service listens at another origin than its URLs name. */
function pathOf(address: string | null): string {
  if (address === null) throw new Error('there is no address');
  const { pathname, search } = new URL(address);
  return pathname + search;
}
