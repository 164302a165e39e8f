// What Ctrl+K finds.
import { expect, test } from 'vitest';
import { commandsFor, type FoundPeople } from './commands.ts';

const sources = {
  pages: [
    { label: 'Remote Config', to: '/apps/$appId/remote-config' },
    { label: 'Settings', to: '/apps/$appId/settings' },
    { label: 'Compose message', to: '/apps/$appId/push/compose', words: 'send push' },
  ],
  sections: [
    { name: 'v1', label: 'API v1', words: 'shutdown' },
    { name: 'mail', label: 'Mail', words: 'logo language' },
  ],
  apps: [{ id: 'A', name: 'Café Nord' }],
  people: undefined,
};
const found = (typed: string, people?: FoundPeople) =>
  commandsFor(typed, { ...sources, people }).map(({ id }) => id);

test.each([
  ['rem', ['Remote Config']],
  ['config remote', ['Remote Config']],
  ['emote', []],
  ['settings', ['Settings', 'setting-v1', 'setting-mail']],
  ['logo', ['setting-mail']],
  ['send push', ['Compose message']],
  ['ogo', []],
  ['settings v1', ['setting-v1']],
  ['café', ['app-A']],
])('%j finds %j', (typed, ids) => {
  expect(found(typed)).toEqual(ids);
});

test.each([
  ['people whom the service has found are shown, whatever it searched', 'U1042', 'U1042', ['U']],
  ['people found for an earlier text are shown if they match', 'lovelace', 'love', ['U']],
  ['people found for an earlier text are not shown if they do not match', 'hopper', 'love', []],
])('%s', (_, typed, text, ids) => {
  const items = [{ uid: 'U', email: 'ada@example.com', name: 'Ada Lovelace' }];
  expect(found(typed, { text, items })).toEqual(ids);
});
