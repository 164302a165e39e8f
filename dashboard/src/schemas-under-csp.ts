// Imported by what parses with a schema: by default zod compiles schemas with `new Function`, which the content security
// policy forbids.
import * as z from 'zod';

z.config({ jitless: true });
