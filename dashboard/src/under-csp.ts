// Imported first. By default zod compiles schemas with `new Function`, and the scroll lock of dialogs writes a style
// element; the content security policy forbids the one, and demands a nonce of the other.
import { setNonce } from 'get-nonce';
import * as z from 'zod';
import { styleNonce } from './page-config.ts';

z.config({ jitless: true });
setNonce(styleNonce);
