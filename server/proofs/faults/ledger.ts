// Clients of the service under faults, and the check of what the service has acknowledged to them. A client sends a call again
// until it is answered, as the SDK does; what was never answered may or may not have happened.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../../test/bad-values.js';
import type { ServiceWorld } from './world.js';

// biome-ignore lint/suspicious/noExplicitAny: the harness reaches into answers of every shape.
type Answer = { status: number; code: string | undefined; data: any };
type Call = { body?: object; token?: string; version?: 'v1' | 'v2' };

const password = 'correct horse battery staple';
const callMilliseconds = 5_000;
/** The reuse window, less what a busy machine may add: a client that was cut off longer may lose its session. */
const safeMilliseconds = 25_000;
/** A call that its client gave up may still wait for a connection, and for its statements. */
const lateMilliseconds = 15_000;
const endMilliseconds = 60_000;
/** A job whose process was killed is taken up by another after 90 seconds, at a check every 20. */
const queueMilliseconds = 150_000;
const nonce = 'a nonce of the client';

export class Client {
  readonly violations: string[] = [];
  acknowledged = 0;
  /** No answer, or 503 or 429. */
  unanswered = 0;
  stopped = false;
  /** Sessions that the service ended by its rule of reuse, because their client was cut off too long. */
  cutOff = 0;
  private readonly email = `client-${randomUUID()}@example.com`;
  private readonly ip: string;
  private uid = '';
  private access = '';
  private refreshToken = '';
  private firstSent: number | null = null;
  private readonly spent: string[] = [];
  private name = { acknowledged: '', possible: new Map<string, number>(), count: 0 };
  private readonly records = new Map<string, number>();
  private readonly mails: string[] = [];
  private readonly uids: string[] = [];

  constructor(
    private readonly world: ServiceWorld,
    private readonly chance: Chance,
    private readonly now = () => performance.now(),
  ) {
    const part = () => 1 + chance.number(250);
    this.ip = `10.${part()}.${part()}.${part()}`;
  }

  /** Signs up at first, then calls until it is stopped. */
  async run(): Promise<void> {
    if (this.uid === '') await this.signUp();
    while (!this.stopped) {
      await this.pick();
      await sleep(this.chance.number(40));
    }
  }

  /** Checks after a fault: everything that was acknowledged is there. */
  async checkWrites(): Promise<void> {
    await this.refresh(true);
    const me = await this.certain('GET', '/me', { token: this.access });
    const { acknowledged, possible } = this.name;
    if (!me.data) {
      this.violated(`GET /me answered ${me.status} ${me.code}`);
      return;
    }
    if (me.data.uid !== this.uid) this.violated('GET /me returns another account');
    if (acknowledged !== (me.data.first_name ?? '') && !possible.has(me.data.first_name))
      this.violated(`the name ${acknowledged} was acknowledged, and ${me.data.first_name} is stored`);
    for (const [id, n] of this.records) {
      const record = await this.certain('GET', `/data/notes/${id}`, { token: this.access });
      if (record.data?.fields?.n !== n) this.violated(`the acknowledged record ${id} is lost`);
    }
  }

  /** Checks at the end: every acknowledged mail came, and a session that was ended no longer works. */
  async checkEnd(): Promise<void> {
    await this.wait('a mail that was acknowledged never came', () =>
      this.mails.every((email) => this.world.mail.received.some(({ to }) => to.includes(email))),
    );
    if (this.chance.oneIn(2)) await this.signOut();
  }

  /** Checks after the reuse window: a spent token is theft, and ends the session. */
  async checkSpent(): Promise<void> {
    const [first] = this.spent;
    if (!first) return;
    for (const token of [first, this.refreshToken]) {
      const answer = await this.certain('POST', '/auth/token/refresh', { body: { refresh_token: token } });
      if (answer.code !== 'auth/refresh-token-revoked')
        this.violated(
          `a token that was spent, or of a session ended by reuse, answered ${answer.status} ${answer.code}`,
        );
    }
  }

  /** Every acknowledged account was reported; a webhook that was down is tried again after at most 330 seconds. */
  async checkEvents(): Promise<void> {
    const reported = () =>
      this.world.receiver.received.map(({ payload }) => (payload.data as { user: { uid: string } }).user.uid);
    await this.wait('an account was never reported to the webhook', () => {
      const uids = new Set(reported());
      return this.uids.every((uid) => uids.has(uid));
    });
  }

  private pick(): Promise<void> {
    const kind = this.chance.number(14);
    if (kind < 5) return this.refresh();
    if (kind < 7) return this.rename();
    if (kind < 9) return this.putRecord();
    if (kind === 9) return this.emailCode();
    if (kind === 10) return this.exchangeV1();
    if (kind === 11) return this.provider();
    return this.expecting('GET', '/me', [200], { token: this.access }).then(() => {});
  }

  /** An account is made whole or not at all: after a lost answer it can be signed in to, or signed up again. */
  private async signUp(): Promise<void> {
    const { email } = this;
    const body = { email, password };
    for (let tries = 0; ; tries += 1) {
      const made = await this.expecting('POST', '/auth/sign-up', tries === 0 ? [201] : [201, 409], { body });
      const answer = made?.status === 409 ? await this.certain('POST', '/auth/sign-in', { body }) : made;
      if (!answer) {
        await sleep(50);
        continue;
      }
      if (answer.status >= 300)
        this.violated(`an account is half made: sign-up answers 409 and sign-in ${answer.status}`);
      this.accept(answer);
      this.uid = uidIn(answer);
      this.uids.push(this.uid);
      const loyalty = await this.certain('GET', '/me/loyalty', { token: this.access });
      if (!loyalty.data?.member_id) this.violated('an account has no member id');
      return;
    }
  }

  private async refresh(certainly = false): Promise<void> {
    const token = this.refreshToken;
    this.firstSent ??= this.now();
    const call = { body: { refresh_token: token } };
    const answer = certainly
      ? await this.certain('POST', '/auth/token/refresh', call)
      : await this.call('POST', '/auth/token/refresh', call);
    if (!answer) return;
    if (answer.status === 200) {
      this.spent.push(token);
      this.firstSent = null;
      this.accept(answer);
    } else if (this.isCutOff() && (await this.wasEndedByReuse())) await this.signInAgain();
    else this.violated(`the session was lost: a refresh answered ${answer.status} ${answer.code}`);
  }

  private isCutOff(): boolean {
    return this.firstSent !== null && this.now() - this.firstSent >= safeMilliseconds;
  }

  /**
   * Whether the audit log says that the session ended because a spent token came after its reuse window. It never says so of a
   * lost write: a token whose spend was lost is ahead of its session, and a lost session has no entry.
   */
  private async wasEndedByReuse(): Promise<boolean> {
    const path = `/admin/audit-log?uid=${this.uid}&action=session.refresh_reuse`;
    const entries = await this.certain('GET', path, { token: this.world.secretKey });
    return entries.data?.items.length === this.cutOff + 1;
  }

  /** What was acknowledged before must still be there. */
  private async signInAgain(): Promise<void> {
    this.cutOff += 1;
    const body = { email: this.email, password };
    const answer = await this.certain('POST', '/auth/sign-in', { body });
    if (answer.status !== 200) {
      this.violated(`a sign-in answered ${answer.status} ${answer.code}`);
      return;
    }
    this.accept(answer);
    this.spent.length = 0;
    this.firstSent = null;
  }

  private async rename(): Promise<void> {
    this.name.count += 1;
    const name = `name ${this.name.count}`;
    const call = { token: this.access, body: { first_name: name } };
    const sentAt = performance.now();
    const answer = await this.expecting('PATCH', '/me', [200], call);
    if (answer) this.acknowledgeName(name, sentAt);
    else this.name.possible.set(name, performance.now());
  }

  /** The names of calls that can no longer arrive after this one are replaced for good. */
  private acknowledgeName(name: string, sentAt: number): void {
    this.name.acknowledged = name;
    for (const [other, givenUpAt] of this.name.possible)
      if (givenUpAt + lateMilliseconds < sentAt) this.name.possible.delete(other);
  }

  private async putRecord(): Promise<void> {
    const [id, n] = [randomUUID(), this.chance.number(1e9)];
    const call = { token: this.access, body: { fields: { n } } };
    if (await this.expecting('PUT', `/data/notes/${id}`, [200, 201], call)) this.records.set(id, n);
  }

  /** One of two calls with one code succeeds at most. */
  private async emailCode(): Promise<void> {
    const email = `code-${randomUUID()}@example.com`;
    if (!(await this.expecting('POST', '/auth/email-code/send', [200, 202], { body: { email } }))) return;
    this.mails.push(email);
    const arrived = () => this.world.mail.received.find(({ to }) => to.includes(email));
    for (let waits = 0; waits < 20 && !arrived(); waits += 1) await sleep(50);
    const code =
      /^\d{6}$/m.exec(arrived()?.raw ?? '')?.[0] ??
      /\b\d{6}\b/.exec(arrived()?.raw.split('\r\n\r\n').slice(1).join() ?? '')?.[0];
    if (code) await this.onlyOnce('an emailed code', '/auth/email-code/verify', { email, code });
  }

  private async exchangeV1(): Promise<void> {
    const body = { email: this.email, password };
    const signedIn = await this.expecting('POST', '/login', [200], { version: 'v1', body });
    const token = signedIn?.data?.token;
    if (!token) return;
    const isUsed = await this.onlyOnce('a v1 token', '/auth/token/from-v1', { v1_token: token });
    const after = isUsed && (await this.call('GET', '/me', { version: 'v1', token }));
    if (after && after.status !== 401) this.violated(`an exchanged v1 token answered ${after.status}`);
  }

  private async provider(): Promise<void> {
    const sub = randomUUID();
    const claims = { nonce, sub, jti: sub, email: `${sub}@example.com` };
    const body = { id_token: await this.world.provider.idToken({ claims }), nonce };
    const answer = await this.expecting('POST', '/auth/provider-a', [200, 401], { body });
    if (answer?.status === 200) this.uids.push(uidIn(answer));
  }

  private async onlyOnce(what: string, path: string, body: object): Promise<boolean> {
    const answers = await Promise.all([this.call('POST', path, { body }), this.call('POST', path, { body })]);
    const accepted = answers.filter((answer) => answer?.status === 200);
    if (accepted.length > 1) this.violated(`${what} was spent twice`);
    for (const answer of accepted) if (answer) this.uids.push(uidIn(answer));
    return accepted.length > 0;
  }

  private async signOut(): Promise<void> {
    await this.certain('POST', '/auth/sign-out', { token: this.access });
    const refreshed = await this.certain('POST', '/auth/token/refresh', {
      body: { refresh_token: this.refreshToken },
    });
    const me = await this.certain('GET', '/me', { token: this.access });
    if (refreshed.code !== 'auth/refresh-token-revoked' || me.status !== 401)
      this.violated(`an ended session answered ${refreshed.status} to a refresh and ${me.status} to GET /me`);
  }

  private accept({ data }: Answer): void {
    this.access = data.access_token;
    this.refreshToken = data.refresh_token;
  }

  /** Null without an answer, or if the service refuses for now. Any other status is a violation. */
  private async expecting(
    method: string,
    path: string,
    statuses: number[],
    call: Call,
  ): Promise<Answer | null> {
    const answer = await this.call(method, path, call);
    if (!answer || answer.code === 'auth/token-expired') return null;
    // A refresh that was not answered may have ended the session; the next one finds out.
    if (answer.status === 401 && call.token && this.isCutOff()) return null;
    if (!statuses.includes(answer.status)) {
      this.violated(`${method} ${path} answered ${answer.status} ${answer.code}`);
      return null;
    }
    return answer;
  }

  /** Sends the call again until it is answered. */
  private async certain(method: string, path: string, call: Call): Promise<Answer> {
    const giveUpAt = performance.now() + endMilliseconds;
    for (;;) {
      const answer = await this.call(method, path, call);
      if (answer) return answer;
      if (performance.now() > giveUpAt) throw new Error(`${method} ${path} was not answered for a minute`);
      await sleep(100);
    }
  }

  private async call(
    method: string,
    path: string,
    { body, token, version = 'v2' }: Call,
  ): Promise<Answer | null> {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'x-app-key': this.world.appKey,
      'x-forwarded-for': this.ip,
      ...(token && { authorization: `Bearer ${token}` }),
    };
    let answer: { status: number; text: string };
    try {
      const response = await fetch(`${this.world.url}/api/${version}${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(callMilliseconds),
      });
      answer = { status: response.status, text: await response.text() };
    } catch {
      this.unanswered += 1;
      return null;
    }
    const { status, text } = answer;
    if (status === 503 || status === 429) {
      this.unanswered += 1;
      return null;
    }
    this.acknowledged += 1;
    if (status >= 500) this.violated(`${method} ${path} answered ${status}: ${text}`);
    const json = text === '' ? {} : this.parsed(`${method} ${path}`, text);
    return { status, code: json.error?.code, data: json.data };
  }

  private parsed(call: string, text: string) {
    try {
      return JSON.parse(text);
    } catch {
      this.violated(`${call} answered what is not JSON: ${text.slice(0, 200)}`);
      return {};
    }
  }

  private async wait(what: string, isSo: () => boolean): Promise<void> {
    const giveUpAt = performance.now() + queueMilliseconds;
    while (!isSo() && performance.now() < giveUpAt) await sleep(50);
    if (!isSo()) this.violated(what);
  }

  private violated(what: string): void {
    this.violations.push(what);
  }
}

function uidIn({ data }: Answer): string {
  return data.user.uid;
}
