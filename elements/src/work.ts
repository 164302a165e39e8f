// One action of the user at a time: busy while it runs, and what it has come to.
import type { OwnSentences } from './sentences.js';
import type { TextKey } from './texts/en.js';

export interface Failure {
  error: unknown;
  own: OwnSentences | undefined;
}

export class Work {
  busy = false;
  failure: Failure | undefined;
  notice: TextKey | undefined;
  readonly #changed: () => void;

  /** `changed` is called after each change, to render it. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Runs the action unless another one runs, such as that of the first click of a double click. */
  async run(
    action: () => Promise<unknown>,
    { done, own }: { done?: TextKey | undefined; own?: OwnSentences | undefined } = {},
  ): Promise<void> {
    if (this.busy) return;
    this.clear();
    this.busy = true;
    this.#changed();
    try {
      await action();
      this.notice ??= done;
    } catch (error) {
      this.failure = { error, own };
    } finally {
      this.busy = false;
      this.#changed();
    }
  }

  clear(): void {
    this.failure = undefined;
    this.notice = undefined;
    this.#changed();
  }
}
