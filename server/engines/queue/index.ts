// The door of the engine: jobs that survive a crash, in the database. README.md says what it promises.
export { jobQueue, type Queue } from './queue.js';
export { reencryptJobs } from './reencrypt-jobs.js';
