// A page of plain HTML: the elements by name and attribute, the account after the sign-in.
import '../../src/index.js';
import { note, options } from './page.js';

const main = document.querySelector('main')!;

function show(name: 'foyer-sign-in' | 'foyer-account'): void {
  const element = document.createElement(name);
  element.setAttribute('base-url', options.baseUrl);
  element.setAttribute('app-key', options.appKey);
  const { theme, redirectUri } = document.documentElement.dataset;
  if (theme) element.setAttribute('theme', theme);
  if (redirectUri) element.setAttribute('redirect-uri', redirectUri);
  main.replaceChildren(element);
}

main.addEventListener('foyer-signed-in', ({ detail }) => {
  note('foyer-signed-in', detail);
  show('foyer-account');
});
main.addEventListener('foyer-signed-out', ({ detail }) => {
  note('foyer-signed-out', detail);
  show('foyer-sign-in');
});
show('foyer-sign-in');
