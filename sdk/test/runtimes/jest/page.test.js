// The page's half in Jest's jsdom with the globals of docs/testing.md, and with fake timers.
const { createClient } = require('@foyer/sdk');
const { fakeService } = require('@foyer/sdk/testing');

afterEach(() => jest.useRealTimers());

test.each([false, true])('a session is restored (fake timers: %s)', async (isFake) => {
  localStorage.clear();
  const service = fakeService();
  const first = createClient(service.options);
  await first.auth.signUp({ email: 'ada@example.com', password: 'correct horse' });
  first.dispose();
  if (isFake) jest.useFakeTimers();
  const client = createClient(service.options);
  expect((await client.auth.ready()).status).toBe('signedIn');
  expect((await client.me.get()).email).toBe('ada@example.com');
  client.dispose();
});
