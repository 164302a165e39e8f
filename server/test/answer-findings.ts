// What is wrong with the answers of the services of a test, until the test is told.
const found: string[] = [];

export function reportAnswer(problem: string): void {
  found.push(problem);
}

/** Throws what was reported since the last call. `answers-setup.ts` calls it after every test. */
export function requireContractAnswers(): void {
  if (found.length > 0) throw new Error([...new Set(found.splice(0))].join('\n'));
}
