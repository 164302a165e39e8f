// Opens a test database concurrently with other processes and prints the number of apps it contains.
import { createTestDatabase } from '../dist/testing.js';

const database = await createTestDatabase();
console.log(await database.prisma.app.count());
await database.close();
// The shared embedded database stays open and would prevent the process from exiting.
process.exit();
