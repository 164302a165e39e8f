// The usage text: printed by `foyer help`, and after an invalid command.

export const usage = `foyer: user accounts and sign-in for your apps. In a checkout: npm run foyer -- <command>

  foyer start                        run the service
  foyer migrate                      bring the database up to date, without starting
  foyer apps create --name <name>    make an app; prints its app key and secret key, once
      [--slug <slug>] [--token-lifetime <seconds>] [--token-algorithm ES256|RS256] [--json]
  foyer apps list [--json]           list the apps
  foyer apps show <app> [--json]     show an app: its keys' names, its issuer and all its settings
  foyer apps set <app> <name>=<value> ...
                                     change settings of an app, by its id or slug; names as in GET /admin/settings,
                                     such as mail.from_name=Example or provider_b.private_key=@key.p8
  foyer apps rename <app> --name <name>
                                     change the name that mails show; id, slug and keys stay
  foyer apps disable <app>           answer no more calls with the app's keys; nothing is deleted
  foyer apps enable <app>            answer them again
  foyer apps delete <app> --confirm <slug>
                                     delete a disabled app with all its users, files, records and keys, for good
  foyer keys create <app> --name <name> --scopes <scope>,<scope>
                                     make a secret key for an app's own backend; prints it, once
      [--all-scopes]                 instead of --scopes
      [--expires <when>] [--json]    a date such as 2027-01-31 (UTC), or a number of days
  foyer keys list <app> [--json]     list an app's secret keys: scopes, last use, expiry
  foyer keys revoke <app> <key>      a secret key stops working at once, on every instance
  foyer import-v1 <file.jsonl> --app <app>
                                     bring over the users of v1, with their passwords, points and tokens; may be run
                                     again after it was stopped: everybody comes over once
      [--report <file>]              a new file for refusals and notes, instead of <file.jsonl>.refused.jsonl
  foyer rotate-keys                  sign access tokens with the next key; no valid token stops working
      [--revoke-retired]             a key leaked: retired keys leave the key set at once
      [--secret]                     instead, re-encrypt stored secrets with the first key of ENCRYPTION_KEYS

The environment says where: DATABASE_URL and ENCRYPTION_KEYS for PostgreSQL, or DATA_DIR (default .foyer) for the embedded
database, which belongs to one process: while the service runs on it, apps and keys are changed through the service, and
every other command needs it stopped. \`foyer help\` lists scopes and settings, .env.example every variable.
`;

/** The lines of one command, or all if it is unknown. */
export function usageOf(command: string | undefined): string {
  const own = usage.split(/\n(?= {2}foyer |\n)/).filter((lines) => lines.startsWith(`  foyer ${command} `));
  return own.length === 0 ? usage : `${own.join('\n')}\n`;
}
