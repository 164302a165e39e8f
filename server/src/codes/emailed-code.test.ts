// Every outcome of a guess at an emailed code, row by row and at its boundaries, for each use of a code.
import { describe, expect, test } from 'vitest';
import { codeDoors, works } from '../../test/code-doors.js';
import { codeScenario, expiredCode, invalidCode, wrongCode } from '../../test/code-scenario.js';
import { testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { inFull } from '../../test/thorough.js';

const service = shared(() => testService());
const scenario = codeScenario(() => service);
const tenMinutes = 600_000;
/** The embedded database runs them one after the other. */
const uses = inFull(50, 10);
const times = (count: number, code: string) => Array.from({ length: count }, () => code);

describe.each(codeDoors(service))('a code for %s', (_name, ready) => {
  test('works once, and is invalid before it is sent and afterwards', async () => {
    const door = await ready();
    expect(await door.use('123456')).toMatchObject(invalidCode);
    const { code } = await door.send();
    expect(code).toMatch(/^\d{6}$/);
    expect(await door.use(code)).toSatisfy(works);
    expect(await door.use(code)).toMatchObject(invalidCode);
    expect(await door.opened()).toBe(1);
    // A change cannot be repeated: the account has the new email from then on.
    if (door.purpose !== 'email_change') {
      expect(await door.use((await door.send()).code)).toSatisfy(works);
    }
  });

  test('works as people paste it, with spaces, line ends or digits of their keyboard', async () => {
    const door = await ready();
    const { code } = await door.send();
    const pasted = `${code.slice(0, 3)} ${code.slice(3, 5)}-${String.fromCharCode(0x660 + Number(code[5]))}\u200b\r\n`;
    expect(await door.use(pasted)).toSatisfy(works);
    expect(await door.opened()).toBe(1);
  });

  test('works after four wrong guesses, and when ten minutes have passed', async () => {
    const door = await ready();
    const { code } = await door.send();
    for (const guess of times(4, wrongCode(code))) expect(await door.use(guess)).toMatchObject(invalidCode);
    service.clock.advance(tenMinutes);
    expect(await door.use(code)).toSatisfy(works);
  });

  test('has expired a millisecond later, right or wrong, and remains expired', async () => {
    const door = await ready();
    const { code } = await door.send();
    service.clock.advance(tenMinutes + 1);
    expect(await door.use(code)).toMatchObject(expiredCode);
    expect(await door.use(wrongCode(code))).toMatchObject(expiredCode);
    service.clock.advance(tenMinutes);
    expect(await door.use(code)).toMatchObject(expiredCode);
    expect(await door.opened()).toBe(0);
  });

  test('is invalid after the fifth wrong guess, even if guessed right', async () => {
    const door = await ready();
    const { code } = await door.send();
    for (const guess of times(5, wrongCode(code))) expect(await door.use(guess)).toMatchObject(invalidCode);
    expect(await door.use(code)).toMatchObject(invalidCode);
    service.clock.advance(tenMinutes + 1);
    expect(await door.use(code)).toMatchObject(invalidCode);
    expect(await door.opened()).toBe(0);
  });

  test('replaces the previous one, with its own guesses and ten minutes', async () => {
    const door = await ready();
    const { code: old } = await door.send();
    for (const guess of times(5, wrongCode(old))) await door.use(guess);
    service.clock.advance(tenMinutes);
    let { code } = await door.send();
    while (code === old) code = (await door.send()).code;
    expect(await door.use(old)).toMatchObject(invalidCode);
    for (const guess of times(3, wrongCode(old, code))) await door.use(guess);
    service.clock.advance(tenMinutes);
    expect(await door.use(code)).toSatisfy(works);
    expect(await door.opened()).toBe(1);
  });

  test('loses no guess to input that is not six digits', async () => {
    const door = await ready();
    const { code } = await door.send();
    const malformed = ['', '12345', '1234567', 'abcdef', `${code}.5`, `${code} ${code}`, '-12345', '1e5'];
    for (const guess of [...malformed, Number(code), null, [code]]) {
      const answer = await door.use(guess as string);
      expect(answer).toMatchObject({ status: 422, code: 'request/validation-failed' });
    }
    expect((await scenario.codeRow(door.purpose, door.subject))?.guesses).toBe(0);
    expect(await door.use(code)).toSatisfy(works);
  });

  test('allows at most five of twenty concurrent guesses, and is invalid afterwards', async () => {
    const door = await ready();
    const { code } = await door.send();
    const answers = await Promise.all(times(20, wrongCode(code)).map((guess) => door.use(guess)));
    for (const answer of answers) expect(answer).toMatchObject(invalidCode);
    expect((await scenario.codeRow(door.purpose, door.subject))?.guesses).toBe(5);
    expect(await door.use(code)).toMatchObject(invalidCode);
    expect(await door.opened()).toBe(0);
  });

  test(`is accepted exactly once by ${uses} concurrent uses`, async () => {
    const door = await ready();
    const { code } = await door.send();
    const answers = await Promise.all(times(uses, code).map((guess) => door.use(guess)));
    expect(answers.filter(works)).toHaveLength(1);
    for (const answer of answers.filter((each) => !works(each))) expect(answer).toMatchObject(invalidCode);
    expect(await door.opened()).toBe(1);
  });
});
