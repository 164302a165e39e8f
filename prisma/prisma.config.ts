// The configuration of Prisma's command line. `generate` and `validate` need no schema engine, so if none can be
// downloaded a placeholder prevents the attempt; every other command downloads and runs the real one.
import { defineConfig } from 'prisma/config';

if (process.argv.some((word) => word === 'generate' || word === 'validate')) {
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;
}

export default defineConfig({
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
  datasource: { url: process.env.DATABASE_URL ?? '' },
});
