// Long proofs (rounds of races, random inputs, thousands of devices) run in full in CI, or where FOYER_TEST_THOROUGH=1
// asks for it, and shortened otherwise.
export const thorough = process.env.FOYER_TEST_THOROUGH === '1';

export function inFull(full: number, otherwise: number): number {
  return thorough ? full : otherwise;
}
