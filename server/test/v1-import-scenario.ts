// The steps that tests of the v1 import share.
import type { App } from '../src/model/app.js';
import {
  type Imported,
  importFile,
  type Listener,
  type Note,
  type Refusal,
} from '../src/v1/import/import-file.js';
import type { TestService } from './harness.js';
import { exportedUser, linesOf } from './v1-export.js';

export type ImportRun = Imported & { refusals: Refusal[]; notes: Note[] };

/** The pause of imports in which no batch fails. */
export const noPause = { pause: () => Promise.reject(new Error('a batch failed')) };

export function v1ImportScenario(service: () => TestService) {
  let last = 0;

  async function importText(
    text: string,
    app: App = service().app.app,
    progress: Listener['progress'] = () => {},
  ): Promise<ImportRun> {
    const refusals: Refusal[] = [];
    const notes: Note[] = [];
    async function* pieces() {
      yield Buffer.from(text);
    }
    const listener: Listener = {
      refused: (refusal) => void refusals.push(refusal),
      noted: (note) => void notes.push(note),
      progress,
    };
    return {
      ...(await importFile({ ...service().deps, ...noPause }, app, { open: pieces }, listener)),
      refusals,
      notes,
    };
  }

  return {
    importText,
    importUsers: (users: object[], app?: App) => importText(linesOf(users), app),
    /** A user that no other test imports. */
    nextUser(given: object = {}) {
      last += 1;
      return exportedUser(last, given);
    },
    /** Ids up to this one are taken. */
    skipTo(id: number) {
      last = id;
    },
  };
}
