// The pieces of which both elements consist: fields, forms, buttons and messages.
import { html, nothing, type TemplateResult } from 'lit';
import type { Screen } from './screen.js';
import type { TextKey } from './texts/en.js';
import type { Work } from './work.js';

export type Content = TemplateResult | typeof nothing;

interface FieldOptions {
  type?: 'email' | 'password' | 'text';
  autocomplete?: string;
  value?: string | null;
  hint?: string;
  optional?: boolean;
  maxLength?: number;
  minLength?: number;
}

interface PasswordOptions extends Pick<FieldOptions, 'hint' | 'optional'> {
  name?: string;
  label?: TextKey;
  /** True for one that is set, not one that is proven. */
  isNew?: boolean;
  minimum?: number;
}

export function field(screen: Screen, name: string, label: TextKey, options: FieldOptions = {}): Content {
  const { type = 'text', autocomplete = 'off', value, hint, optional, maxLength, minLength } = options;
  return html`<label part="label">
    ${screen.text(label)}
    <input
      part="field"
      name=${name}
      type=${type}
      autocomplete=${autocomplete}
      .value=${value ?? ''}
      ?required=${!optional}
      maxlength=${maxLength ?? nothing}
      minlength=${minLength ?? nothing}
      autocapitalize=${type === 'text' ? nothing : 'none'}
      spellcheck="false"
      aria-describedby=${hint ? `${name}-hint` : nothing}
    />
    ${hint ? html`<small id="${name}-hint">${hint}</small>` : nothing}
  </label>`;
}

export function emailField(screen: Screen, value: string, autocomplete = 'username'): Content {
  return field(screen, 'email', 'email', { type: 'email', autocomplete, value });
}

export function passwordField(
  screen: Screen,
  { name = 'password', label = 'password', isNew = false, minimum = 0, ...more }: PasswordOptions = {},
): Content {
  return field(screen, name, label, {
    type: 'password',
    autocomplete: isNew ? 'new-password' : 'current-password',
    ...(minimum && { minLength: minimum, hint: screen.text('minCharacters', { count: minimum }) }),
    ...more,
  });
}

/** A field for a code of so many digits, which may be pasted or filled in by the browser. */
export function codeField(screen: Screen, digits = 6): Content {
  return html`<label part="label">
    ${screen.text('code')}
    <input
      part="field"
      class="code"
      name="code"
      inputmode="numeric"
      autocomplete="one-time-code"
      dir="ltr"
      required
      @input=${(event: InputEvent) => {
        const input = event.target as HTMLInputElement;
        if (digitsOf(input.value).length === digits) input.form?.requestSubmit();
      }}
    />
  </label>`;
}

/** The digits of a text that was typed or pasted, in any script, without what separates them. */
export function digitsOf(text: string): string {
  return text.normalize('NFKC').replace(/[^\p{Nd}]/gu, '');
}

export function form(
  { screen, work }: { screen: Screen; work: Work },
  submit: (value: (name: string) => string, form: HTMLFormElement) => void,
  { content, button, second = nothing }: { content: unknown; button: TextKey; second?: unknown },
): TemplateResult {
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const target = event.currentTarget as HTMLFormElement;
    const data = new FormData(target);
    submit((name) => String(data.get(name) ?? ''), target);
  };
  return html`<form part="form" aria-busy=${work.busy} @submit=${onSubmit}>
    ${content}
    <div class="row start">
      <button part="button primary-button" class="primary">${screen.text(button)}</button>
      ${second}
    </div>
  </form>`;
}

interface ButtonOptions {
  kind?: 'plain' | 'danger' | 'primary';
  /** What the button acts on, for readers of the screen. */
  of?: string | undefined;
  /** In place of the text. */
  label?: string;
}

export function button(
  screen: Screen,
  key: TextKey,
  press: () => void,
  { kind, of, label }: ButtonOptions = {},
): TemplateResult {
  const text = label ?? screen.text(key);
  return html`<button
    part="button ${kind ?? 'secondary'}-button"
    class=${kind ?? ''}
    type="button"
    aria-label=${of ? `${text}: ${of}` : nothing}
    @click=${press}
  >
    ${text}
  </button>`;
}

/** What an action has come to; readers of the screen hear it. */
export function outcome(screen: Screen, { failure, notice }: Work): TemplateResult {
  return html`<p part="failure" class="failure" role="alert">${failure ? screen.sentence(failure) : nothing}</p>
    <p part="notice" class="notice" role="status">${notice ? screen.text(notice) : nothing}</p>`;
}
