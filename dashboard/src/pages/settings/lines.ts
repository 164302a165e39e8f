// Lists as an input shows them: one entry per line.

export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Client ids contain neither spaces nor commas, so a list pasted on one line is split too. */
export function idsOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((id) => id !== '');
}
