// foyer console: the owners of the service.
import { limits } from '@foyer/contract';
import { ownerLink } from '../console/invitations/owner-link.js';
import { parse, UsageError, type WithStore } from './argv.js';

export async function consoleCommand(argv: string[], withStore: WithStore): Promise<void> {
  const [command, ...rest] = argv;
  if (command !== 'invite-owner') throw new UsageError('console is followed by invite-owner');
  const { options } = parse(rest, { json: { type: 'boolean' } });
  await withStore(async (deps, print) => {
    const link = await ownerLink(deps, deps.config.baseUrl);
    if (options.json) return print(JSON.stringify({ link }));
    print(`Open ${link} to become an owner of this service.`);
    print(
      `The link works once, within ${limits.invitationHours.firstOwner} hours, and ends the links printed before it.`,
    );
  });
}
