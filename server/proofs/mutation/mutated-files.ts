// The files that are mutated, and how their executed lines are recorded.

/** The variable that names the folder to which every test file writes the lines that it executed. */
export const linesFolder = 'FOYER_EXECUTED_LINES';

/** How the names of the files with the outcomes that a worker has observed begin, in that folder. */
export const outcomesOfWorker = 'outcomes-';

/** Whether a file, relative to the root, is one whose faults the tests should notice. */
export function isMutated(file: string): boolean {
  return (
    /^(server\/src|server\/engines|sdk\/src|contract\/src\/limits)\b.*\.tsx?$/.test(file) &&
    !/(\.test\.ts|\/generated\/|^sdk\/src\/testing\/)/.test(file)
  );
}
