// `node bundle.js <entry> <output>`: bundles an app as `npx react-native bundle` does for a release.
const { dirname, join, resolve } = require('node:path');
const { getDefaultConfig, mergeConfig } = require('@react-native/metro-config');
const { loadConfig, runBuild } = require('metro');

const [, , entry, output] = process.argv;
const app = dirname(entry);

async function main() {
  const defaults = mergeConfig(getDefaultConfig(app), {
    projectRoot: app,
    watchFolders: [__dirname],
    // An app has them in its own node_modules.
    resolver: { nodeModulesPaths: [join(__dirname, 'node_modules')], useWatchman: false },
    cacheStores: [],
    resetCache: true,
    maxWorkers: 1,
    reporter: { update() {} },
  });
  const config = await loadConfig({ cwd: app, config: undefined }, defaults);
  await runBuild(config, {
    entry,
    out: resolve(output),
    platform: 'ios',
    dev: false,
    minify: false,
  });
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
