// Saves what the page has made as a file.

/** Firefox and Safari read the file after the click. */
const readMilliseconds = 60_000;

export function downloadFile(name: string, type: string, parts: readonly BlobPart[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), readMilliseconds);
}
