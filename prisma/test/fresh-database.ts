// A process that wants a test database at the same time as others do: says how many apps it found.
import { createTestDatabase } from '../src/testing.js';

const database = await createTestDatabase();
console.log(await database.prisma.app.count());
await database.close();
// The embedded database stays open for another test, and would keep the process running.
process.exit();
