// The windows by which a user is kept from signing in, to show and to clear them: those of guesses, and of mailed codes.
import { networksOf } from '../../src/lib/ip-network.js';
import { guessNetworks } from './code-guess-limits.js';
import { hashed, type LimitedApp, subjectsOf, windowsOf } from './limit-windows.js';
import { mailWindowsOf } from './mail-limits.js';
import type { Window } from './memory-windows.js';

export type LimitedUser = {
  uid: string;
  email: string;
  /** Where the user has been seen, or refused. */
  ips: readonly string[];
  /** The known devices on which the user was refused. */
  deviceIds: readonly string[];
  /** The kinds of codes, and whether the email counts as verified for them. */
  kinds: readonly { kind: string; isVerified: boolean }[];
};

export type UserWindow = Window & { ip: string | null };

export function windowsOfUser(app: LimitedApp, user: LimitedUser): UserWindow[] {
  const { uid, email, ips, deviceIds, kinds } = user;
  const key = hashed(email);
  const devices = deviceIds.map((deviceId) => `${uid} ${deviceId}`);
  const ofAccount: Window[] = [
    ...(['auth-failures-email', 'code-failures-email'] as const).flatMap((of) => windowsOf(of, app, [key])),
    ...windowsOf('auth-failures-user', app, [uid]),
    ...devices.flatMap((device) => windowsOf('auth-failures-device', app, [device])),
    ...kinds.flatMap(({ kind, isVerified }) => [
      ...windowsOf('code-guesses-email-day', app, [hashed(`${kind} ${email}`)]),
      ...[`${uid} `, ...devices].flatMap((client) =>
        windowsOf('code-guesses-email-day', app, [`${kind} ${client}`]),
      ),
      ...[null, { uid }, ...deviceIds.map((deviceId) => ({ uid, deviceId }))].flatMap((known) =>
        mailWindowsOf(app, { kind, email, known, isVerified, ip: null }, known === null ? 'total' : 'all'),
      ),
    ]),
  ];
  const ofNetworks = ips.flatMap((ip) =>
    [
      ...(['auth-failures-email-ip', 'code-failures-email-ip'] as const).flatMap((of) =>
        windowsOf(of, app, subjectsOf({ ip }, key)),
      ),
      ...kinds.flatMap(({ kind }) => [
        ...guessNetworks(app, { kind, email, ip }),
        ...mailWindowsOf(app, { kind, email, known: null, ip }, 'sender'),
      ]),
    ].map((window) => ({ ...window, ip })),
  );
  return [...ofAccount.map((window) => ({ ...window, ip: null })), ...ofNetworks];
}

/** One IP address of each network. */
export function onePerNetwork(ips: readonly string[]): string[] {
  const networks = new Map(ips.map((ip) => [networksOf(ip)[0], ip]));
  return [...networks.values()];
}
