// Clients of the real service.
import { randomUUID } from 'node:crypto';
import type { TestService } from '../../server/test/harness.js';
import type { ClientOptions } from '../src/api.js';
import { createClient } from '../src/client.js';
import type { SdkEvent } from '../src/events.js';

export const password = 'correct horse battery staple';

/** A client with the responses that it has received, by status and route. */
export function newClient({ url, app }: TestService, options: Partial<ClientOptions> = {}) {
  const answers: string[] = [];
  const onEvent = (event: SdkEvent) => {
    if (event.type === 'request') answers.push(`${event.status} ${event.method} ${event.path}`);
  };
  const { appKey } = app.app;
  const client = createClient({ baseUrl: `${url}/api/v2`, appKey, onEvent, ...options });
  return Object.assign(client, { answers });
}

/** A client with a new user signed in. The email has a plus sign, which links must preserve. */
export async function signedUp(service: TestService, options: Partial<ClientOptions> = {}) {
  const client = newClient(service, options);
  const email = `ada+${randomUUID()}@example.com`;
  const { user } = await client.auth.signUp({ email, password });
  return { client, email, user };
}
