// Progress of a long command on stderr: a bar on a terminal, otherwise a line per 10 %.

export type Screen = { isTTY?: boolean; write(text: string): unknown };

export type Progress = {
  /** `done` is from 0 to 1. */
  show(done: number, words: string): void;
  /** Ends the bar with a newline. */
  end(): void;
};

const barCharacters = 30;

export function progressOn(screen: Screen): Progress {
  return screen.isTTY ? bar(screen) : lines(screen);
}

function bar(screen: Screen): Progress {
  let shown = '';
  return {
    show(done, words) {
      const filled = Math.round(done * barCharacters);
      const drawn = '#'.repeat(filled) + '.'.repeat(barCharacters - filled);
      const line = `[${drawn}] ${Math.floor(done * 100)} %  ${words}`;
      if (line === shown) return;
      // Overwrites the rest of a longer previous line.
      screen.write(`\r${line.padEnd(shown.length)}`);
      shown = line;
    },
    end() {
      if (shown !== '') screen.write('\n');
      shown = '';
    },
  };
}

function lines(screen: Screen): Progress {
  let tenths = 0;
  return {
    show(done, words) {
      const reached = Math.floor(done * 10);
      if (reached <= tenths) return;
      tenths = reached;
      screen.write(`${reached * 10} %  ${words}\n`);
    },
    end() {
      tenths = 0;
    },
  };
}
