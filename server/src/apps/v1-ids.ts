// The numeric ids of v1, counted on the app's row.
export { raiseLastV1Id, takeV1Id } from './store.js';
