// Loaded into the service by the fault harness: its clock runs ahead or behind by the milliseconds in a file.
import { readFileSync } from 'node:fs';

const SystemDate = Date;
let offset = 0;

function read() {
  const text = readFileSync(process.env.FAULT_CLOCK_FILE, 'utf8');
  if (text !== '') offset = Number(text);
}

globalThis.Date = class extends SystemDate {
  constructor(...given) {
    super(...(given.length === 0 ? [SystemDate.now() + offset] : given));
  }
  static now() {
    return SystemDate.now() + offset;
  }
};
read();
setInterval(read, 20).unref();
