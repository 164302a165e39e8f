// Upload an image with a progress bar, fetch it from a URL that is valid for a minute, and delete it.
// Run it against your service:  FOYER_APP_KEY=pk_… npx tsx examples/08-upload.ts
import { createClient, files, isFoyerError, type UploadProgress } from '@foyer/sdk';

const foyer = createClient({
  baseUrl: process.env.FOYER_BASE_URL ?? 'http://localhost:3000/api/v2',
  appKey: process.env.FOYER_APP_KEY ?? '',
});
await foyer.auth.signUp({ email: `ada+${Date.now()}@example.com`, password: 'correct horse battery staple' });

// In a browser, the file of an <input type="file">; in React Native, { uri, name, type } from a picker.
const picture = new File([bitmap(1_000, 1_000)], 'holiday.bmp', { type: 'image/bmp' });
const uploaded = await files(foyer).upload(picture, { onProgress: bar });
console.log();
console.log('uploaded', uploaded.name, uploaded.content_type, uploaded.size, 'bytes');

const { url } = await files(foyer).url(uploaded.id, { expiresInSeconds: 60 });
const shown = await fetch(url);
console.log('the URL answers', shown.status, shown.headers.get('content-type'));

await files(foyer).delete(uploaded.id);
console.log('and once the file is deleted', (await fetch(url)).status);

try {
  await files(foyer).upload(new Blob([new Uint8Array(26 * 1_024 * 1_024)]), { name: 'too-large.bin' });
} catch (error) {
  if (!isFoyerError(error, 'files/too-large')) throw error;
  console.log('refused:', error.message);
}

await foyer.auth.signOut();
foyer.dispose();

/** Draws the progress bar in one line. */
function bar({ loaded, total = loaded }: UploadProgress): void {
  const filled = total === 0 ? 20 : Math.floor((20 * loaded) / total);
  process.stdout.write(`\r[${'#'.repeat(filled)}${'.'.repeat(20 - filled)}] ${loaded} of ${total}`);
}

/** An uncompressed BMP image: a header, then three bytes per pixel. */
function bitmap(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(54 + width * height * 3).fill(200, 54);
  const header = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  header.setUint32(2, bytes.length, true);
  for (const [at, value] of [
    [10, 54],
    [14, 40],
    [18, width],
    [22, height],
  ] as const) {
    header.setUint32(at, value, true);
  }
  header.setUint16(26, 1, true);
  header.setUint16(28, 24, true);
  return bytes;
}
