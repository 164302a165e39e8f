// The usage text: printed by `foyer help`, and after an invalid command.

export const usage = `foyer: user accounts and sign-in for your apps. In a checkout: npm run foyer -- <command>

  foyer start                        run the service
  foyer dev                          run the service to develop and test an app: on this machine only, on an embedded
                                     database, without environment variables; prints the keys of a demo app
      [--port <port>]                by default 3000
      [--data-dir <folder>]          keep all data there; by default it is deleted at the end
      [--no-rate-limits]             for tests with many sign-ups and sign-ins
  foyer migrate                      migrate the database, without starting
      [--distribute]                 also distribute its tables by app over the nodes of a Citus cluster
  foyer apps create --name <name>    create an app; prints its app key and secret key, once
      [--slug <slug>] [--token-lifetime <seconds>] [--token-algorithm ES256|RS256] [--json]
  foyer apps list [--json]           list the apps
  foyer apps show <app> [--json]     show an app: its keys' names, its issuer and all its settings
  foyer apps set <app> <name>=<value> ...
                                     change settings of an app, by its id or slug; names as in GET /admin/settings,
                                     such as mail.from_name=Example or provider_b.private_key=@key.p8
  foyer apps rename <app> --name <name>
                                     change the name in mails; id, slug and keys are unchanged
  foyer apps disable <app>           reject calls with the app's keys; nothing is deleted
  foyer apps enable <app>            accept them again
  foyer apps delete <app> --confirm <slug>
                                     delete a disabled app with all its users, files, records and keys, permanently
  foyer keys create <app> --name <name> --scopes <scope>,<scope>
                                     create a secret key for an app's backend; prints it, once
      [--all-scopes]                 instead of --scopes
      [--expires <when>] [--json]    a date such as 2027-01-31 (UTC), or a number of days
  foyer keys list <app> [--json]     list an app's secret keys: scopes, last use, expiry
  foyer keys revoke <app> <key>      revoke a secret key, at once and on every instance
  foyer pull <folder> --app <slug>   write an app as files: app.yaml and the texts of mails
      [--url <url>]                  from a service anywhere, with FOYER_APP_KEY and FOYER_SECRET_KEY; without it, from the
                                     database or the running service of this environment
  foyer diff <folder> --app <slug> [--url <url>]
                                     print how an app differs from the files; exit code 3 if it does
  foyer apply <folder> --app <slug> [--url <url>]
                                     change an app as the files say; asks before it deletes anything
      [--yes]                        without asking
      [--secrets]                    send the secrets again that the app has
      [--delete-records]             also delete collections that have records
  foyer schema                       print the JSON Schema of app.yaml, for editors
  foyer console invite-owner [--json]
                                     print a link that creates an owner of the service, who owns every app in the
                                     dashboard; it works once, within 24 hours
  foyer export users --app <app>     write all users of an app to stdout, a JSON object per line
      [--with-hashes]                with the hashes of their passwords
  foyer import firebase|supabase|auth0|clerk|better-auth|foyer <file> --app <app>
                                     import the users of another service from its export, without their passwords, or
                                     those of \`foyer export users\`, with uid, points and password;
                                     can be run again: each user is imported once
      [--dry-run]                    only say what would be imported
      [--report <file>]              the file with a line for each user, by default <file>.report.jsonl
  foyer import-v1 <file.jsonl> --app <app>
                                     import the users of v1, with their passwords, points and tokens; can be run
                                     again after an interruption: each user is imported once
      [--report <file>]              the file for rejected lines and notes, by default <file.jsonl>.refused.jsonl
  foyer rotate-keys                  sign access tokens with the next key; valid tokens still work
      [--revoke-retired]             for a leaked key: remove retired keys from the key set at once
      [--secret]                     instead, re-encrypt stored secrets with the first key of ENCRYPTION_KEYS
  foyer version                      print the version

The environment configures the database: DATABASE_URL and ENCRYPTION_KEYS for PostgreSQL, or DATA_DIR (default .foyer) for the embedded
database, which belongs to one process: while the service runs on it, apps, keys and console go through the service, and
every other command needs it stopped. \`foyer help\` lists scopes and settings, .env.example every variable.
`;

/** The lines of one command, or all if it is unknown. */
export function usageOf(command: string | undefined): string {
  const own = usage.split(/\n(?= {2}foyer |\n)/).filter((lines) => lines.startsWith(`  foyer ${command} `));
  return own.length === 0 ? usage : `${own.join('\n')}\n`;
}
