// Who may change a team, judged under its lock: the guard has let the caller in, who may have lost the role meanwhile.
import { beforeAll, expect, test } from 'vitest';
import { testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { type TeamScenario, teamScenario } from '../../test/team-scenario.js';
import type { TeamCall } from '../model/call.js';
import { lockTeamAsOwner } from './as-owner.js';

const service = shared(() => testService());
let team: TeamScenario;
beforeAll(async () => {
  team = await teamScenario(() => service);
});

const lockAs = (uid: string) =>
  service.database.prisma.$transaction((tx) => {
    const ids = { consoleAppId: team.consoleApp.id, appId: service.app.app.id };
    return lockTeamAsOwner(tx, ids, { member: { uid } } as TeamCall);
  });

test('an owner of the app, and one of the service, may change the team', async () => {
  const { uid } = await team.newMember(service.app.app.id, 'owner');
  await expect(lockAs(uid)).resolves.toBeUndefined();
  await expect(lockAs(team.owner.uid)).resolves.toBeUndefined();
});

test('a member with another role, of another app, or without a membership may not change the team', async () => {
  const other = await service.newApp();
  const admin = await team.newMember(service.app.app.id, 'admin');
  const ownerElsewhere = await team.newMember(other.app.id, 'owner');
  for (const uid of [admin.uid, ownerElsewhere.uid, 'removed']) {
    await expect(lockAs(uid)).rejects.toMatchObject({ code: 'console/insufficient-role' });
  }
});
