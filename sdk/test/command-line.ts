// A terminal for a newcomer: commands in a shell, and servers that remain until the end.
import { type ChildProcess, spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const longestMs = 300_000;

/** `home` is the user's folder; `variables` are added to the environment. */
export function commandLine(home: string, variables: Record<string, string> = {}) {
  const servers: ChildProcess[] = [];
  // Generators ask whether they may install what they need, and npm reports to its registry what it has installed.
  const asked = {
    CI: 'true',
    npm_config_yes: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_prefer_offline: 'true',
  };
  const ofNpm = {
    npm_config_cache: join(homedir(), '.npm'),
    npm_config_userconfig: join(homedir(), '.npmrc'),
  };
  const env = { ...process.env, ...asked, ...ofNpm, NEXT_TELEMETRY_DISABLED: '1', HOME: home, ...variables };

  function open(command: string, cwd: string) {
    // A group of its own, so that what the command starts ends with it.
    const child = spawn('sh', ['-c', command], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const all = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text) => {
        all[name] += stripVTControlCharacters(text);
      });
    }
    return { child, all };
  }

  const end = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    process.kill(-child.pid!, 'SIGTERM');
    await ended;
  };

  return {
    /** Runs a command to its end; returns what it printed, and the folder that it leaves the reader in. */
    async run(command: string, cwd: string): Promise<{ output: string; cwd: string }> {
      const { child, all } = open(`set -e; ${command}\nprintf '\\n%s' "$PWD"`, cwd);
      const timer = setTimeout(() => end(child), longestMs);
      const code = await new Promise((resolve) => child.once('close', resolve));
      clearTimeout(timer);
      if (code !== 0) throw new Error(`${command}\n${all.stdout}\n${all.stderr}`);
      const lines = all.stdout.split('\n');
      return { cwd: lines.pop()!, output: lines.join('\n') };
    },

    /** Starts a server; returns what it has printed when that matches. */
    start(command: string, cwd: string, ready: RegExp): Promise<string> {
      const { child, all } = open(command, cwd);
      servers.push(child);
      return new Promise((resolve, reject) => {
        const printed = () => all.stdout + all.stderr;
        child.stdout.on('data', () => ready.test(printed()) && resolve(printed()));
        child.once('close', () => reject(new Error(`${command} ended\n${printed()}`)));
      });
    },

    end: () => Promise.all(servers.map(end)),
  };
}
