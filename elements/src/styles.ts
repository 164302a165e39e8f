// The look of both elements. Apps change it with the parts, and with the variables, which they set on the elements themselves.
import { css } from 'lit';

const dark = css`
  --foyer-background: #17181c;
  --foyer-text: #ececf1;
  --foyer-muted: #a3a6b1;
  --foyer-border: #7a7e8b;
  --foyer-line: #32343c;
  --foyer-field: #1f2126;
  --foyer-accent: #8fb3ff;
  --foyer-accent-text: #10131a;
  --foyer-danger: #ff9c9c;
  --foyer-good: #7fd6a0;
  color-scheme: dark;
`;

export const styles = css`
  :host {
    --foyer-background: #fff;
    --foyer-text: #1b1c20;
    --foyer-muted: #5b5f6b;
    --foyer-border: #868b98;
    --foyer-line: #e2e4ea;
    --foyer-field: #fff;
    --foyer-accent: #2251cc;
    --foyer-accent-text: #fff;
    --foyer-danger: #b3261e;
    --foyer-good: #1a7342;
    --foyer-radius: 0.625rem;
    --foyer-font: system-ui, sans-serif;
    color-scheme: light;
    display: block;
    container-type: inline-size;
  }
  @media (prefers-color-scheme: dark) {
    :host(:not([theme='light'])) {
      ${dark}
    }
  }
  :host([theme='dark']) {
    ${dark}
  }
  :host([hidden]) {
    display: none;
  }
  * {
    box-sizing: border-box;
  }
  .root {
    background: var(--foyer-background);
    color: var(--foyer-text);
    font: 1rem / 1.5 var(--foyer-font);
    overflow-wrap: anywhere;
    text-align: start;
    border-radius: var(--foyer-radius);
  }
  .card,
  .account {
    max-width: 25rem;
    margin-inline: auto;
    padding: 1.5rem;
  }
  .account {
    max-width: 46rem;
  }
  h2,
  h3,
  p,
  ul {
    margin: 0;
    padding: 0;
  }
  h2 {
    font-size: 1.5rem;
    line-height: 1.25;
  }
  h3 {
    font-size: 1.0625rem;
  }
  h2:focus {
    outline: none;
  }
  .stack,
  form,
  dialog {
    display: grid;
    gap: 1rem;
  }
  dialog:not([open]) {
    display: none;
  }
  label {
    display: grid;
    gap: 0.25rem;
    font-weight: 500;
  }
  input {
    width: 100%;
    min-height: 2.75rem;
    padding: 0.5rem 0.75rem;
    font: inherit;
    font-weight: 400;
    color: inherit;
    background: var(--foyer-field);
    border: 1px solid var(--foyer-border);
    border-radius: var(--foyer-radius);
  }
  input.code {
    letter-spacing: 0.25em;
  }
  button {
    min-height: 2.75rem;
    padding: 0.5rem 1rem;
    font: inherit;
    font-weight: 600;
    color: inherit;
    background: transparent;
    border: 1px solid var(--foyer-border);
    border-radius: var(--foyer-radius);
    cursor: pointer;
  }
  button.primary {
    color: var(--foyer-accent-text);
    background: var(--foyer-accent);
    border-color: transparent;
  }
  .card .primary {
    flex: 1;
  }
  button.plain {
    min-height: 2rem;
    padding: 0.125rem 0.25rem;
    margin: -0.125rem -0.25rem;
    font-weight: 500;
    color: var(--foyer-accent);
    border-color: transparent;
    text-align: start;
  }
  button.danger {
    color: var(--foyer-danger);
    border-color: currentcolor;
  }
  button:hover {
    text-decoration: underline;
  }
  [aria-busy='true'] button {
    cursor: progress;
  }
  a {
    color: var(--foyer-accent);
  }
  input:focus-visible,
  button:focus-visible,
  a:focus-visible {
    outline: 2px solid var(--foyer-accent);
    outline-offset: 2px;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem 1rem;
  }
  .start {
    justify-content: flex-start;
  }
  .muted,
  small {
    color: var(--foyer-muted);
    font-size: 0.875rem;
    font-weight: 400;
  }
  .or {
    display: flex;
    align-items: center;
    gap: 0.75rem;
  }
  .or::before,
  .or::after {
    content: '';
    flex: 1;
    border-top: 1px solid var(--foyer-line);
  }
  /* Not hidden: readers of the screen announce what comes into a region that was there before. */
  p:empty {
    position: absolute;
  }
  .failure {
    color: var(--foyer-danger);
  }
  .notice {
    color: var(--foyer-good);
  }
  section {
    display: grid;
    gap: 1rem;
    padding-block: 1.5rem;
    border-top: 1px solid var(--foyer-line);
  }
  .two {
    display: grid;
    gap: 1rem;
  }
  @container (min-width: 40rem) {
    .two {
      grid-template-columns: 1fr 1fr;
    }
  }
  ul {
    display: grid;
    gap: 0.75rem;
    list-style: none;
  }
  p small,
  li small {
    display: block;
  }
  li > span:first-child {
    flex: 1 1 9rem;
  }
  code {
    font-family: ui-monospace, monospace;
  }
  .qr {
    width: 12rem;
    max-width: 100%;
    background: #fff;
    border-radius: 0.5rem;
    forced-color-adjust: none;
  }
  .codes {
    grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr));
    gap: 0.5rem;
  }
  dialog {
    width: min(25rem, calc(100vw - 2rem));
    padding: 1.5rem;
    color: inherit;
    background: var(--foyer-background);
    border: 1px solid var(--foyer-border);
    border-radius: var(--foyer-radius);
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 50%);
  }
`;
