// Attempts on the dashboard's calls by an owner of another app, who has a role in their own app only.
import { expect } from 'vitest';
import type { Sent } from './contract-routes.js';
import { type Attempt, attempt, expectStatus, type IsolationScenario } from './isolation-scenario.js';
import { memberPassword } from './team-scenario.js';

export function memberAttempts({ ours, theirs }: IsolationScenario): Record<string, Attempt[]> {
  const { appKey } = theirs.team.consoleApp;
  const asOwner = (sent: Sent, answered: Attempt['answered']) =>
    attempt({ token: theirs.owner.token, appKey, ...sent }, answered);
  /** Sends with tokens that are no member's. */
  const asOthers = (sent: Sent) =>
    [theirs.app.secretKey, theirs.user.tokens.access_token].map((token) =>
      attempt({ token, ...sent }, 'auth/invalid-token'),
    );
  /** With a token that is no member's, by their owner on our app, and with the wrong app key. */
  const onOurApp = ({ params, ...sent }: Sent = {}): Attempt[] => {
    const named = { ...sent, params: { app_id: ours.app.app.id, ...params } };
    return [
      ...asOthers({ appKey, ...named }),
      asOwner(named, 'console/app-not-found'),
      asOwner({ ...named, appKey: theirs.app.app.appKey }, 'console/required'),
    ];
  };
  /** On the calls of an app that only members may make: with the app key of their app. */
  const onTheirApp = (sent: Sent, answered: Attempt['answered']): Attempt[] => {
    const named = { ...sent, appKey: theirs.app.app.appKey };
    return [
      ...asOthers(named),
      asOwner({ ...named, appKey: ours.app.app.appKey }, 'console/insufficient-role'),
      asOwner(named, answered),
    ];
  };
  const ourMember = { uid: ours.memberUid };
  const ourInvitation = { id: ours.invitationId };
  const theirApp = { app_id: theirs.app.app.id };
  const token = `inv_${'A'.repeat(43)}`;
  const invalid = (body: object) => [attempt({ appKey, body }, 'console/invalid-invitation')];

  return {
    'keys.list': onTheirApp({}, (answer) =>
      expect(answer.json.data.items.map(({ name }: { name: string }) => name)).toEqual(['first key']),
    ),
    'keys.create': onTheirApp({ body: { name: 'Theirs', scopes: ['users:read'] } }, expectStatus(201)),
    'keys.revoke': onTheirApp({ params: { id: ours.secretKeyId } }, 'admin/secret-key-not-found'),
    'settingsChecks.testMail': onTheirApp({ body: { purpose: 'sign_in' } }, (answer) =>
      expect(answer.json.data).toEqual({ to: theirs.owner.email }),
    ),
    'console.me': [asOwner({}, (answer) => expect(answer.json.data).toMatchObject({ owner: false }))],
    'console.listApps': [
      asOwner({}, (answer) =>
        expect(answer.json.data.items.map(({ id }: { id: string }) => id)).toEqual([theirs.app.app.id]),
      ),
    ],
    'console.getApp': onOurApp(),
    'console.createApp': [asOwner({ body: { name: 'More' } }, 'console/insufficient-role')],
    'console.updateApp': onOurApp({ body: { enabled: false } }),
    'console.listMembers': onOurApp(),
    'console.listOwners': onOurApp(),
    'console.invite': onOurApp({ body: { email: 'eve@example.com', role: 'owner' } }),
    'console.updateMember': [
      ...onOurApp({ params: ourMember, body: { role: 'owner' } }),
      // Their app with a member of ours.
      asOwner({ params: { ...theirApp, ...ourMember }, body: { role: 'owner' } }, 'console/member-not-found'),
    ],
    'console.removeMember': [
      ...onOurApp({ params: ourMember }),
      asOwner({ params: { ...theirApp, ...ourMember } }, 'console/member-not-found'),
    ],
    'console.listTraces': [
      ...onOurApp({ params: ourMember }),
      asOwner({ params: { ...theirApp, ...ourMember } }, (answer) =>
        expect(answer.json.data).toEqual({ items: [] }),
      ),
    ],
    'console.listTracesOfKey': [
      ...onOurApp({ params: { id: ours.secretKeyId } }),
      asOwner({ params: { ...theirApp, id: ours.secretKeyId } }, (answer) =>
        expect(answer.json.data).toEqual({ items: [] }),
      ),
    ],
    'console.listInvitations': onOurApp(),
    'console.revokeInvitation': [
      ...onOurApp({ params: ourInvitation }),
      asOwner({ params: { ...theirApp, ...ourInvitation } }, 'console/invitation-not-found'),
    ],
    'console.getSettings': [asOwner({}, 'console/insufficient-role')],
    'console.updateSettings': [asOwner({ body: { second_factor: 'optional' } }, 'console/insufficient-role')],
    'console.removeFactors': [asOwner({ params: ourMember }, 'console/insufficient-role')],
    'console.listAuditLog': [asOwner({}, 'console/insufficient-role')],
    'invitations.inspect': invalid({ token }),
    'invitations.accept': invalid({ token, password: memberPassword }),
  };
}
