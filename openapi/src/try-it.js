// The panel "Try it" of the pages at /docs, in the browser: sends one request to the service, made from what the OpenAPI
// document says about the operation. Credentials are kept in memory only; nothing is sent before Send is pressed.

/** @typedef {{ name: string, in: 'path' | 'query' | 'header', required: boolean, example?: unknown }} Parameter */
/** @typedef {{ operationId: string, summary: string, method: string, path: string, security: Record<string, unknown>[],
 *   parameters?: Parameter[], requestBody?: { content: Record<string, { example: unknown }> } }} Operation */

const find = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const input = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (find(id));
const dialog = /** @type {HTMLDialogElement} */ (find('try'));
const form = /** @type {HTMLFormElement} */ (find('try-form'));
const operationInput = input('try-operation');
const accessToken = input('try-access-token');
const sendButton = /** @type {HTMLButtonElement} */ (find('try-send'));

// On the page's own origin, whatever BASE_URL is.
const documentUrl = new URL(find('viewer').dataset.document ?? '', location.href);
const baseUrl = new URL('.', documentUrl).href.replace(/\/$/, '');
const timeoutSeconds = 30;
const shownHeaders = ['X-Request-Id', 'ETag', 'Retry-After', 'Location', 'X-Code-Flow', 'Content-Type'];

/** @type {Operation[]} */
let operations = [];
/** @type {Operation | undefined} */
let chosen;
let refreshToken = '';
let confirming = false;
let sending = false;

find('try-open').hidden = false;
find('try-open').addEventListener('click', () => open(/operation\/(\w+)/.exec(location.hash)?.[1]));
find('try-close').addEventListener('click', () => dialog.close());
dialog.addEventListener('close', () => history.replaceState(null, '', location.pathname));
addEventListener('hashchange', openLinked);
operationInput.addEventListener('focus', () => operationInput.select());
operationInput.addEventListener('input', () => choose(operationInput.value));
form.addEventListener('input', () => askToConfirm(false));
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (sending) return;
  if (chosen?.method === 'DELETE' && !confirming) askToConfirm(true);
  else send();
});
// A double click or a held key is not a second decision.
sendButton.addEventListener('click', (event) => event.detail > 1 && event.preventDefault());
form.addEventListener('keydown', (event) => {
  if (event.repeat && event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement))
    event.preventDefault();
});
openLinked();

/** `/docs#try/<operationId>` opens the panel with the operation. */
function openLinked() {
  const [, operationId] = /^#try\/(\w*)$/.exec(location.hash) ?? [];
  if (operationId !== undefined) open(operationId);
}

async function open(operationId = '') {
  if (!dialog.open) dialog.showModal();
  try {
    if (operations.length === 0) operations = await loadOperations();
  } catch {
    return showStatus('The OpenAPI document could not be loaded. Close this panel and open it again.');
  }
  if (operationId) operationInput.value = operationId;
  choose(operationInput.value);
}

async function loadOperations() {
  const answer = await fetch(documentUrl);
  const { paths } = /** @type {{ paths: Record<string, Record<string, any>> }} */ (await answer.json());
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    })),
  );
  const options = all.map(({ operationId, method, path, summary }) =>
    make('option', { value: operationId, label: `${method} ${path}: ${summary}` }),
  );
  find('try-operations').replaceChildren(...options);
  return /** @type {Operation[]} */ (all);
}

function choose(/** @type {string} */ operationId) {
  const before = chosen;
  chosen = operations.find((each) => each.operationId === operationId.trim());
  operationInput.setCustomValidity(chosen ? '' : 'Choose an operation from the list.');
  if (chosen === before) return;
  find('try-summary').textContent = chosen ? `${chosen.method} ${chosen.path}: ${chosen.summary}` : '';
  find('try-scheme').replaceChildren(
    ...schemesOf(chosen).map(([value, text]) => make('option', { value, text })),
  );
  find('try-fields').replaceChildren(...(chosen ? fieldsOf(chosen) : []));
  askToConfirm(false);
  clearResponse('No request was sent yet.');
  if (chosen) history.replaceState(null, '', `#try/${chosen.operationId}`);
}

/** The credentials that the operation accepts, beside the app key; the first one is preselected. */
function schemesOf(/** @type {Operation | undefined} */ operation) {
  const names = (operation?.security ?? []).flatMap((each) => Object.keys(each));
  const user = ['try-access-token', 'Access token'];
  return [
    ...(names.includes('accessToken') ? [user] : []),
    ...(names.includes('secretKeyAuth') ? [['try-secret-key', 'Secret key']] : []),
    ...(names.includes('memberToken') && !names.includes('accessToken')
      ? [['try-access-token', 'Access token of a team member']]
      : []),
    ['', 'Neither token nor secret key'],
  ];
}

/** Optional parameters show their example as a hint: as values, they would filter the items of every list. */
function fieldsOf(/** @type {Operation} */ { parameters = [], requestBody }) {
  const fields = parameters.map(({ name, in: place, required, example = '' }) => {
    const field = make('input', {
      name,
      required,
      spellcheck: false,
      [required ? 'value' : 'placeholder']: String(example),
    });
    field.dataset.in = place;
    // A URL with these segments would be another operation's.
    if (place === 'path') field.pattern = String.raw`(?!\.{1,2}$).+`;
    return labelled(`${name} (${place}${required ? '' : ', optional'})`, field);
  });
  const [[type, body] = []] = Object.entries(requestBody?.content ?? {});
  if (!body) return fields;
  if (type !== 'application/json')
    return [
      ...fields,
      make('p', { textContent: 'This panel does not upload files: the code samples of this operation do.' }),
    ];
  const example = /** @type {Record<string, unknown>} */ (body.example);
  const value = JSON.stringify(
    refreshToken && 'refresh_token' in example ? { ...example, refresh_token: refreshToken } : example,
    null,
    2,
  );
  const field = make('textarea', {
    id: 'try-request-body',
    value,
    rows: Math.min(20, value.split('\n').length + 1),
    spellcheck: false,
  });
  return [...fields, labelled('Body (JSON)', field)];
}

function askToConfirm(/** @type {boolean} */ asked) {
  if (confirming && !asked) showStatus('Nothing was sent.');
  confirming = asked;
  sendButton.textContent = asked ? 'Yes, send DELETE' : 'Send';
  if (asked) clearResponse('This request deletes data. Press again to send it.');
}

function requestOf(/** @type {Operation} */ { method, path, security }) {
  const values = /** @type {HTMLInputElement[]} */ ([...find('try-fields').querySelectorAll('input')]);
  const filled = (/** @type {Parameter['in']} */ place) =>
    values
      .filter((each) => each.dataset.in === place && each.value !== '')
      .map((each) => /** @type {[string, string]} */ ([each.name, each.value]));
  const segments = new Map(filled('path'));
  const query = String(new URLSearchParams(filled('query')));
  const url = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(segments.get(name) ?? ''));
  const headers = new Headers(filled('header'));
  const appKey = input('try-app-key').value.trim();
  if (appKey && security.some((each) => 'appKey' in each)) headers.set('X-App-Key', appKey);
  const scheme = input('try-scheme').value;
  const token = scheme && input(scheme).value.trim();
  if (token) headers.set('Authorization', `Bearer ${token}`);
  const body = document.getElementById('try-request-body') && input('try-request-body').value;
  if (body !== null) headers.set('Content-Type', 'application/json');
  return new Request(`${baseUrl}${url}${query && `?${query}`}`, {
    ...{ method, headers, body, credentials: 'omit', cache: 'no-store', redirect: 'manual' },
    signal: AbortSignal.timeout(timeoutSeconds * 1000),
  });
}

async function send() {
  if (!chosen) return;
  askToConfirm(false);
  clearResponse('Sending…');
  setSending(true);
  try {
    const request = requestOf(chosen);
    const start = performance.now();
    const response = await fetch(request).catch(unreachable);
    const text = await response.text().catch(unreachable);
    showResponse(response, text, Math.round(performance.now() - start));
  } catch (error) {
    showStatus(error instanceof Unreachable ? error.message : `The request cannot be made: ${error}.`);
  } finally {
    setSending(false);
  }
}

/** The button is not disabled, because a disabled button loses the focus. */
function setSending(/** @type {boolean} */ now) {
  sending = now;
  sendButton.ariaDisabled = String(now);
}

class Unreachable extends Error {}

/** @returns {never} */
function unreachable(/** @type {Error} */ { name }) {
  throw new Unreachable(
    name === 'TimeoutError'
      ? `The service did not answer within ${timeoutSeconds} seconds. It may still have carried out the request.`
      : 'The service could not be reached, or the connection was lost. Check that it is running and try again.',
  );
}

function showResponse(
  /** @type {Response} */ response,
  /** @type {string} */ text,
  /** @type {number} */ milliseconds,
) {
  if (response.type === 'opaqueredirect')
    return showStatus(
      'The service answered with a redirect, whose target a browser does not show to a page.',
    );
  const json = parsed(text);
  const taken = response.ok && takeTokens(json?.data);
  const status = `${response.status} ${response.statusText}`.trim();
  showStatus(`${status} in ${milliseconds} ms.${taken ? ' The access token was taken over.' : ''}`);
  const headers = shownHeaders.filter((name) => response.headers.has(name));
  find('try-headers').replaceChildren(
    ...headers.flatMap((name) => [
      make('dt', { textContent: name }),
      make('dd', { textContent: response.headers.get(name) }),
    ]),
  );
  find('try-body').textContent = json === undefined ? text : JSON.stringify(json, null, 2);
  find('try-body').hidden = text === '';
}

function takeTokens(/** @type {any} */ data) {
  // v1 answers a user and one token.
  const token = data?.access_token ?? (data?.user && data.token);
  if (typeof token !== 'string') return false;
  accessToken.value = token;
  refreshToken = data.refresh_token ?? '';
  return true;
}

function parsed(/** @type {string} */ text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function showStatus(/** @type {string} */ text) {
  find('try-status').textContent = text;
}

function clearResponse(/** @type {string} */ status) {
  showStatus(status);
  find('try-headers').replaceChildren();
  find('try-body').hidden = true;
}

function labelled(/** @type {string} */ text, /** @type {HTMLElement} */ field) {
  const label = make('label', { textContent: text });
  label.append(field);
  return label;
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {object} properties
 */
function make(name, properties) {
  return Object.assign(document.createElement(name), properties);
}
