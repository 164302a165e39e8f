// What an app's backend does to the users of its app, and the audit entries about it.
import type { AdminUser } from '@foyer/contract';
import { expect } from 'vitest';
import { newEmail } from './code-scenario.js';
import type { Answer, TestService } from './harness.js';

export function backendScenario(given: () => TestService) {
  /** A call below /admin/users with the secret key. */
  function admin<Data = AdminUser>(method: string, path: string, body?: unknown): Promise<Answer<Data>> {
    const { call, app } = given();
    const token = app.secretKey;
    return call<Data>(method, `/admin/users${path}`, { token, ...(body !== undefined && { body }) });
  }

  async function make(body: object = {}): Promise<AdminUser> {
    const answer = await admin('POST', '', { email: newEmail(), ...body });
    expect(answer.status).toBe(201);
    return answer.data;
  }

  async function eventsOf(uid: string): Promise<[string, unknown][]> {
    const events = await given().database.prisma.event.findMany({
      where: { uid },
      orderBy: { id: 'asc' },
    });
    return events.map(({ type, data }) => [type, (data as { reason?: string }).reason]);
  }

  /** The audit entries about a user whose actor is a backend. */
  async function entriesOf(uid: string): Promise<[string, string, unknown][]> {
    const entries = await given().auditEntries({
      target: `user:${uid}`,
      actor: { startsWith: 'secret_key:' },
    });
    return entries.map(({ action, uid, details }) => [action, uid as string, details]);
  }

  return { admin, make, eventsOf, entriesOf };
}
