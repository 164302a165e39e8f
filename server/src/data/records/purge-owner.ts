// Deletes the records of a deleted account, in the collections declared so, for the module that deletes accounts.
export { purgeRecordsOf } from './store.js';
