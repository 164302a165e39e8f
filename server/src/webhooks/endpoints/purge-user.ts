// The events of a deleted account remain with the uid only: no email, name, photo, claims or ledger texts.
export { purgeUserInEvents } from './store.js';
