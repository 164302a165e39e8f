import { join } from 'node:path';
import type { NextConfig } from 'next';

const config: NextConfig = {
  poweredByHeader: false,
  // The repository, because this example installs the SDK from it. An app of your own does not need this.
  turbopack: { root: join(import.meta.dirname, '../..') },
};

export default config;
