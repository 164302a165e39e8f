// Clients with a planted fault, each of which the run must find: the source of further client options in the page.

export const faults = {
  /** No lock across tabs. */
  lock: `storage: {
    get: (key) => localStorage.getItem(key),
    set: (key, value) => localStorage.setItem(key, value),
    remove: (key) => localStorage.removeItem(key),
  }`,
  /** The tokens of refreshes are not stored: a page that is loaded later sends a spent one. */
  storage: `storage: {
    ...foyer.webStorage(),
    set: (key, value) => JSON.parse(value).n > 0 || localStorage.setItem(key, value),
  }`,
  /** A request in fifty has no bearer. */
  bearer: `fetch: (url, init) => {
    if (Math.random() < 0.02) init.headers.delete('Authorization');
    return fetch(url, init);
  }`,
  /** What a sign-out removed is stored again a second later. */
  resurrection: `storage: {
    ...foyer.webStorage(),
    set(key, value) {
      const before = localStorage.getItem(key);
      localStorage.setItem(key, value);
      if (!JSON.parse(value).r && /"r"/.test(before)) setTimeout(() => localStorage.setItem(key, before), 1_000);
    },
  }`,
};

export type Fault = keyof typeof faults;
