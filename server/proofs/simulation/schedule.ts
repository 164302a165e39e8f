// One schedule: a client and its retries, on the service's own operations, in an order that a seed chooses. Each answer is
// compared with the model, which takes the same step when the operation's statement runs.
import { sendCode } from '../../src/codes/send-code.js';
import { judgeGuess } from '../../src/codes/verify-code.js';
import type { Deps } from '../../src/deps.js';
import { ApiError } from '../../src/lib/api-error.js';
import { sha256 } from '../../src/lib/crypto/digest.js';
import { userActor } from '../../src/model/actor.js';
import type { App } from '../../src/model/app.js';
import { signOut, signOutEverywhere } from '../../src/sessions/end-sessions.js';
import { findSessionOfToken } from '../../src/sessions/find-session.js';
import { refreshSession } from '../../src/sessions/refresh.js';
import {
  encodeRefreshToken,
  parseRefreshToken,
  type RefreshToken,
} from '../../src/sessions/refresh-token.js';
import type { SignedIn } from '../../src/sessions/start-session.js';
import { exchangeV1Token } from '../../src/v1/api/exchange-token.js';
import { signOutOfV1 } from '../../src/v1-tokens/end-v1-tokens.js';
import { useV1Token } from '../../src/v1-tokens/find-v1-token.js';
import { startV1Token } from '../../src/v1-tokens/start-v1-token.js';
import { type Chance, chanceOf } from '../../test/bad-values.js';
import { callIn } from '../../test/call-in.js';
import { AccountModel, type Session, type V1Token } from './model.js';
import { type Mailed, type SharedDeps, type Step, scheduleRandom, simulatedDeps } from './process.js';
import {
  epoch,
  guessAnswers,
  type Operation,
  passes,
  randomBytesOf,
  rarePasses,
  refreshAnswers,
  wrongCode,
} from './schedule-values.js';
import { SignIns } from './sign-ins.js';

export type Account = { app: App; uid: string; email: string };

export class Schedule {
  readonly model = new AccountModel();
  failure: string | null = null;
  private readonly chance: Chance;
  private readonly random: Deps['random'];
  private readonly clock = { time: epoch, now: () => new Date(this.clock.time) };
  private readonly mailed: Mailed = [];
  private operations: Operation[] = [];
  private left: number;
  private numbers = 0;
  /** What the client knows: refresh tokens by session and generation, access tokens, v1 tokens. */
  private readonly refreshTokens: { session: Session; token: RefreshToken }[] = [];
  private readonly issued = new Map<string, Map<number, string>>();
  private readonly accessTokens: { session: Session; text: string; expires: number }[] = [];
  private readonly v1Tokens: { token: V1Token; text: string }[] = [];
  private readonly signIns: SignIns;
  /** A burst reaches the limit of refreshes within the reuse window. */
  private readonly isBurst: boolean;

  constructor(
    readonly seed: number,
    readonly account: Account,
    private readonly shared: SharedDeps,
    /** Receives what happens, if given: a hundred thousand schedules write nothing. */
    private readonly trace?: string[],
  ) {
    this.chance = chanceOf(seed);
    this.random = scheduleRandom(this.chance);
    this.isBurst = this.chance.oneIn(400);
    const { model, chance, random, clock } = this;
    this.signIns = new SignIns({
      ...{ account, model, chance, random, clock },
      run: (...given) => this.run(...given),
      issued: (session, answer) => this.issuedTo(session, answer),
    });
    this.left = this.isBurst ? 90 : this.signIns.guesses ? 40 : 5 + this.chance.number(9);
  }

  get isDone(): boolean {
    return this.failure !== null || (this.left === 0 && this.operations.length === 0);
  }

  /** Lets time pass, ends an operation as a crash would, or starts one. */
  turn(): void {
    const { chance } = this;
    if (chance.oneIn(this.isBurst ? 20 : 3)) {
      const by = chance.oneIn(12) ? chance.pick(rarePasses) : chance.pick(passes);
      this.clock.time += this.isBurst ? chance.number(400) : by;
    }
    if (this.operations.length > 0 && chance.oneIn(15)) {
      const killed = chance.pick(this.operations);
      this.trace?.push(`${killed.name} is killed before its statement ${killed.places}`);
      this.operations = this.operations.filter((each) => each !== killed);
    }
    if (this.left > 0 && this.operations.length < 3 && (this.operations.length === 0 || chance.oneIn(2))) {
      this.left -= 1;
      this.begin();
    }
  }

  /** The statement or transaction that runs next. */
  next(): Step | null {
    const waiting = this.operations.filter(({ step }) => step !== null);
    if (waiting.length === 0) return null;
    const operation = this.chance.pick(waiting);
    const step = operation.step as Step & { at: number };
    operation.step = null;
    // A statement has the time at which it was written; an operation reads the clock inside its transaction.
    operation.took(step.kind === 'transaction' ? this.clock.time : step.at, operation.places);
    this.trace?.push(`${operation.name}: ${step.kind} ${operation.places}`);
    operation.places += 1;
    return step;
  }

  private begin(): void {
    const { chance } = this;
    if (this.refreshTokens.length === 0 && this.v1Tokens.length === 0) {
      if (this.signIns.usesFactor && chance.oneIn(2)) this.signIns.useFactor();
      else if (chance.oneIn(3)) this.signInV1();
      else this.signIns.signIn();
      return;
    }
    if (this.isBurst && this.refreshTokens.length > 0) {
      this.refresh(true);
      return;
    }
    if (this.signIns.usesFactor && (this.signIns.guesses || chance.oneIn(2))) {
      this.signIns.useFactor();
      return;
    }
    const kind = chance.number(20);
    if (kind < 8 && this.refreshTokens.length > 0) this.refresh(false);
    else if (kind < 10 && this.accessTokens.length > 0) this.useAccessToken();
    else if (kind === 10) this.signIns.signIn();
    else if (kind === 11 && this.refreshTokens.length > 0) this.signOut();
    else if (kind === 12 && chance.oneIn(2)) this.signOutEverywhere();
    else if (kind === 13) this.signInV1();
    else if (kind < 16 && this.v1Tokens.length > 0) this.useV1();
    else this.sendOrGuess();
  }

  /** Runs an operation of the service; `settled` receives its answer, unless the client loses it. */
  private run<T>(
    name: string,
    work: (deps: Deps) => Promise<T>,
    took: Operation['took'],
    expected: () => string,
    settled: (value: T) => void = () => {},
    refused: (error: ApiError) => void = () => {},
  ): void {
    const operation: Operation = { name, step: null, took, places: 0 };
    this.operations.push(operation);
    const deps = simulatedDeps(this.shared, this.clock, this.random, this.mailed, (step) => {
      operation.step = { ...step, at: this.clock.time };
    });
    const end = (answer: string, then: () => void) => {
      this.operations = this.operations.filter((each) => each !== operation);
      const right = expected();
      this.trace?.push(`${name} at ${this.clock.time - epoch}: ${answer}`);
      if (answer !== right) this.fail(`${name} answered ${answer}; the model answers ${right}`);
      else then();
    };
    work(deps).then(
      (value) => end(value === null ? 'null' : 'ok', () => settled(value)),
      (error) =>
        error instanceof ApiError
          ? end(error.code, () => refused(error))
          : end(String(error?.stack ?? error), () => {}),
    );
  }

  private fail(why: string): void {
    this.failure ??= why;
  }

  /** The client stores what it is answered, or loses it. No two answers of one generation may differ. */
  private issuedTo(session: Session, answer: SignedIn['answer']): void {
    const token = parseRefreshToken(this.shared.keyRing, this.account.app.id, answer.refresh_token);
    if (typeof token === 'string') {
      this.fail(`a refresh token was issued that is ${token}`);
      return;
    }
    session.id ??= token.sessionId;
    const tokens = this.issued.get(token.sessionId) ?? new Map<number, string>();
    this.issued.set(token.sessionId, tokens);
    const before = tokens.get(token.generation) ?? answer.refresh_token;
    if (before !== answer.refresh_token || session.id !== token.sessionId)
      this.fail('the chain of the session has forked');
    if (token.generation !== session.spends.length)
      this.fail(`generation ${token.generation} was issued and ${session.spends.length} is current`);
    tokens.set(token.generation, answer.refresh_token);
    if (this.chance.oneIn(8)) return;
    this.refreshTokens.push({ session, token });
    const expires = Math.floor(this.clock.time / 1_000) * 1_000 + answer.expires_in * 1_000;
    this.accessTokens.push({ session, text: answer.access_token, expires });
  }

  private refresh(newest: boolean): void {
    const { chance, model, refreshTokens } = this;
    const recent = newest || chance.oneIn(2) ? refreshTokens.slice(newest ? -1 : -2) : refreshTokens;
    const { session, token } = chance.pick(recent);
    const forged = !newest && chance.oneIn(15);
    // This is what a leaked key makes: the tag fits and the secret does not.
    const secret = Buffer.from(randomBytesOf(chance, 32));
    const generation = token.generation + (forged ? chance.number(2) : 0);
    const presented = forged ? { ...token, generation, secret } : token;
    const text = encodeRefreshToken(this.shared.keyRing, this.account.app.id, presented);
    let verdict: keyof typeof refreshAnswers = 'invalid';
    let first = 0;
    this.run(
      `refresh of generation ${generation}${forged ? ', forged' : ''}`,
      (deps) => refreshSession(deps, callIn(this.account.app), text),
      (at, place) => {
        if (place === 0) verdict = model.refresh(session, generation, !forged, at);
        else if (verdict === 'reuse') model.endReused(session, generation, first);
        else this.fail(`a refresh that is ${verdict} ran a second statement`);
        if (place === 0) first = at;
      },
      () => refreshAnswers[verdict],
      (answer) => this.issuedTo(session, answer),
    );
  }

  private useAccessToken(): void {
    const { session, text, expires } = this.chance.pick(this.accessTokens);
    const expired = expires <= this.clock.time;
    let expected = 'auth/token-expired';
    this.run(
      'GET /me',
      (deps) => findSessionOfToken(deps, this.account.app, text),
      () => {
        if (!expired) expected = session.ended === null ? 'ok' : 'auth/invalid-token';
      },
      () => expected,
    );
  }

  private signOut(): void {
    const { session, token } = this.chance.pick(this.refreshTokens);
    const { app, uid } = this.account;
    const call = { app, session: { uid, sessionId: token.sessionId }, actor: userActor(uid, null) };
    this.run(
      'sign-out',
      (deps) => signOut(deps, call),
      (at) => this.model.signOut(session, at),
      () => 'ok',
    );
  }

  private signOutEverywhere(): void {
    const { app, uid } = this.account;
    const call = { app, uid, actor: userActor(uid, null) };
    this.run(
      'sign-out-all',
      (deps) => signOutEverywhere(deps, call),
      () => this.model.signOutEverywhere(),
      () => 'ok',
    );
  }

  private signInV1(): void {
    const { account, model } = this;
    const credential = { uid: account.uid, credentialVersion: model.version, newPasswordHash: null };
    let token: V1Token | null = null;
    let refused = 'null';
    this.run(
      'v1 login',
      (deps) => startV1Token(deps, callIn(account.app), credential),
      (at) => {
        if (credential.credentialVersion !== model.version) return;
        if (model.factor) refused = 'auth/second-factor-required';
        else token = model.startV1(at);
      },
      () => (token ? 'ok' : refused),
      (started) => token && started && this.v1Tokens.push({ token, text: started.token }),
    );
  }

  private useV1(): void {
    const { account, model, chance } = this;
    const { token, text } = chance.pick(this.v1Tokens);
    const kind = chance.number(4);
    if (kind === 0) {
      this.exchangeV1(token, text);
      return;
    }
    if (kind === 1) {
      const ids = { appId: account.app.id, tokenHash: sha256(text) };
      this.run(
        'v1 logout',
        (deps) => signOutOfV1(deps, ids, null),
        () => model.v1Tokens.delete(token),
        () => 'ok',
      );
      return;
    }
    let isLive = false;
    let records: ((at: number) => void)[] = [];
    this.run(
      'v1 use',
      (deps) => useV1Token(deps, account.app, text),
      (at, place) => {
        if (place > 0) {
          records[place - 1]?.(at);
          return;
        }
        isLive = model.isV1Live(token, at);
        // Both uses are recorded by statements that judge again.
        records = [
          ...(model.isUseDue(token.lastUsed, at)
            ? [
                () => {
                  if (model.isUseDue(token.lastUsed, at)) token.lastUsed = at;
                },
              ]
            : []),
          ...(model.isUseDue(model.v1LastUsed, at)
            ? [
                (then: number) => {
                  if (model.isUseDue(model.v1LastUsed, then)) model.v1LastUsed = then;
                },
              ]
            : []),
        ];
      },
      () => (isLive ? 'ok' : 'auth/invalid-token'),
    );
  }

  /** Verifies the token, then exchanges it in a transaction; a changed credential is verified again, at most twice. */
  private exchangeV1(token: V1Token, text: string): void {
    const { model } = this;
    let expected = 'request/unavailable';
    let version: number | null = null;
    let session: Session | null = null;
    this.run(
      'from-v1',
      (deps) => exchangeV1Token(deps, callIn(this.account.app), text),
      (at, place) => {
        if (place % 2 === 0) {
          version = model.isV1Live(token, at) ? model.version : null;
          if (version === null) expected = 'auth/invalid-token';
        } else if (version === model.version) {
          expected = model.v1Tokens.delete(token) ? 'ok' : 'auth/invalid-token';
          if (expected === 'ok') session = model.start(at);
        }
      },
      () => expected,
      (signedIn) => session && this.issuedTo(session, signedIn.answer),
    );
  }

  private sendOrGuess(): void {
    const { account, chance, model } = this;
    const { email } = account;
    const key = { appId: account.app.id, purpose: 'sign_in' as const, subject: email };
    const [code] = model.codes.length > 0 ? [chance.pick(model.codes)] : [];
    if (!code || chance.oneIn(4)) {
      this.numbers += 1;
      const number = this.numbers;
      const sentAt = this.clock.time;
      const call = callIn(account.app, { codeFlow: null });
      const request = { purpose: 'sign_in', subject: email, email } as const;
      this.run(
        'code send',
        (deps) => sendCode(deps, call, request),
        () => {},
        () => 'ok',
        (flow) => {
          const value = this.mailed.at(-1)?.code as string;
          model.codes.push({ number, value, flow, sentAt, guesses: 0, flowGuesses: 0 });
        },
      );
      return;
    }
    const guess = {
      code: chance.oneIn(2) ? wrongCode(code.value) : code.value,
      flow: chance.oneIn(2) ? code.flow : null,
    };
    let judged: ReturnType<AccountModel['guess']> = null;
    let used = false;
    let judgedAt = 0;
    this.run(
      `code guess of ${code.number}${guess.flow ? ' by flow' : ''}`,
      async (deps) => {
        const proven = await judgeGuess(deps, key, guess, { refund: async () => {} });
        await deps.prisma.$transaction((tx) => proven.spend(tx));
      },
      (_at, place) => {
        if (place === 0) {
          judgedAt = this.clock.time;
          judged = model.guess(guess.code, guess.flow, judgedAt);
        } else used = judged !== null && model.useCode(judged.code, judged.newest, judgedAt);
      },
      () => (used ? 'ok' : judged ? guessAnswers[judged.verdict] : 'auth/invalid-code'),
    );
  }
}
