// Long tests (rounds of races, random inputs, thousands of devices) run in full in CI, or if FOYER_TEST_THOROUGH=1 is
// set, and shortened otherwise.
export const thorough = process.env.FOYER_TEST_THOROUGH === '1';

export function inFull(full: number, otherwise: number): number {
  return thorough ? full : otherwise;
}
