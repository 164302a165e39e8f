// What the failover test needs of this machine.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findBin, isRoot, serverVersions } from '../faults/postgresql.js';

const programs = ['patroni', 'etcd', 'haproxy', 'redis-server'];

/** Debian installs HAProxy where only root looks. */
export const programPath = `${process.env.PATH}:/usr/sbin`;

/** What is missing here, in words for the command line. */
export function missingPrograms({
  path = programPath,
  versions = serverVersions,
  user = 'postgres',
} = {}): string[] {
  const directories = path.split(':');
  const missing = programs.filter((name) => !directories.some((each) => existsSync(join(each, name))));
  if (findBin(versions) === null) missing.push("PostgreSQL's server programs");
  // PostgreSQL refuses to run as root.
  if (isRoot && spawnSync('id', [user]).status !== 0) missing.push(`the user ${user}`);
  return missing;
}
