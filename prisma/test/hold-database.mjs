// A process for tests to kill: opens the configured database, prints `open`, and increments a counter in it until killed.
import { migrate, openDatabase } from '../dist/index.js';

const database = await openDatabase({
  databaseUrl: process.env.DATABASE_URL,
  dataDir: process.env.DATA_DIR,
});
await migrate(database);
const at = new Date(0);
const app = {
  id: 'counter',
  slug: 'counter',
  name: 'Counter',
  appKey: 'counter',
  createdAt: at,
  updatedAt: at,
};
await database.prisma.app.upsert({
  where: { id: app.id },
  create: { ...app, accessTokenSeconds: 0 },
  update: {},
});
console.log('open');
for (;;) {
  const [row] = await database.prisma.$queryRaw`
    UPDATE apps SET access_token_seconds = access_token_seconds + 1 WHERE id = 'counter'
    RETURNING access_token_seconds AS n`;
  console.log(row.n);
}
