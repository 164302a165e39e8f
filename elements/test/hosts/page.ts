// What the pages of every host share: the app that they belong to, and the events of the elements, for the tests.
declare global {
  var events: { type: string; detail: unknown }[];
}

const { baseUrl, appKey } = document.documentElement.dataset as { baseUrl: string; appKey: string };
export const options = { baseUrl, appKey };

globalThis.events = [];
export function note(type: string, detail: unknown): void {
  globalThis.events.push({ type, detail });
}
