// The order of the test files: those known to take long begin first, so that no worker runs one of them alone at the end.
// The rest is in Vitest's order: by the duration of the last run, or by size if there was none.
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Most of them only in a thorough run, which the last run may not have been. */
export const longest = [
  'server/test/bad-input.test.ts',
  'server/test/revocation-races.test.ts',
  'server/test/races.test.ts',
  'server/src/cli/dev.test.ts',
  'server/src/profile/purge-accounts.test.ts',
  'server/test/push-crash.test.ts',
  'server/proofs/fuzz/fuzz.test.ts',
  'server/src/admin-users/list/list-users.test.ts',
  'dashboard/test/accessibility.test.ts',
  'examples/examples.test.ts',
  'examples/react/react.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => this.#place(a) - this.#place(b));
  }

  #place({ project, moduleId }: TestSpecification): number {
    const place = longest.indexOf(relative(project.config.root, moduleId));
    return place < 0 ? longest.length : place;
  }
}
