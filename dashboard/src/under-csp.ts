// Imported first: the scroll lock of dialogs writes a style element, of which the content security policy demands a nonce.
import { setNonce } from 'get-nonce';
import { styleNonce } from './page-config.ts';

setNonce(styleNonce);
