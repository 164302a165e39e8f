// The build of the dashboard: hashed files below /dashboard, without inline scripts, which its content security policy
// forbids. `vite` alone serves the sources with hot reload, and everything else from a running service.
import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { contractExtract } from './contract-extract.ts';

const service = process.env.FOYER_URL ?? 'http://localhost:3000';

export default defineConfig({
  base: '/dashboard/',
  plugins: [react(), contractExtract(), preloadStart(), compress(), pageOfService()],
  server: { proxy: { '/api': service, '/readyz': service } },
  build: {
    target: 'es2022',
    // A `data:` URL would need an exception in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Few requests before a page: one script for calls, one to sign in with, one for the frame of every page.
        codeSplitting: {
          groups: [
            { name: 'entry', test: /dashboard\/src\/main\.ts$/, priority: 4 },
            { name: 'api', test: /dashboard\/src\/early-reads\.ts$/, priority: 4 },
            { name: 'start', test: /dashboard\/src\/start\.tsx$/, priority: 3 },
            { name: 'app', test: /dashboard\/src\/(app|pages\/overview\/overview)\.tsx$/, priority: 2 },
            { name: 'common', minShareCount: 8, priority: 1 },
          ],
        },
      },
    },
  },
});

/** The page loads what every visit needs beside the entry, and not after it. */
function preloadStart(): Plugin {
  return {
    name: 'preload-start',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((file) => /^assets\/(api|start|rolldown-runtime)-/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: file.endsWith('.css')
              ? { rel: 'stylesheet', crossorigin: true, href: `/dashboard/${file}` }
              : { rel: 'modulepreload', crossorigin: true, href: `/dashboard/${file}` },
            injectTo: 'head' as const,
          })),
    },
  };
}

/** A file with Brotli beside each asset: the best compression takes longer than a service may take to start. */
function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (!file.fileName.startsWith('assets/')) continue;
          const source = brotliCompressSync(file.type === 'chunk' ? file.code : file.source);
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source });
        }
      },
    },
  };
}

/** During development: fills the placeholders of the page as the service does. */
function pageOfService(): Plugin {
  return {
    name: 'page-of-service',
    apply: 'serve',
    async transformIndexHtml(html) {
      const page = await (await fetch(`${service}/dashboard/`)).text();
      const content = /<meta name="foyer" content="([^"]*)"/.exec(page)?.[1];
      if (content === undefined) throw new Error(`no dashboard answers at ${service}; run npm start first`);
      return html.replace('__FOYER_PAGE__', content).replace('__FOYER_NONCE__', '');
    },
  };
}
