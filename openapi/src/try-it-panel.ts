// The panel "Try it" of the pages at /docs: its markup and its style. What it does is in try-it.js, which runs in the browser.
import { readFileSync } from 'node:fs';

/** A build puts a copy beside this file. */
export function readTryIt(): Buffer {
  return readFileSync(new URL('./try-it.js', import.meta.url));
}

// The button is hidden until the script runs.
export const tryItPanel = `<button type="button" id="try-open" aria-haspopup="dialog" hidden>Try it</button>
<dialog id="try" aria-labelledby="try-title">
<h2 id="try-title">Try it</h2>
<button type="button" id="try-close">Close</button>
<div class="columns">
<form id="try-form" autocomplete="off" aria-label="Request">
<p>Requests go to this service and change its data. Nothing is sent before you press Send.</p>
<label>Operation: search by name, path or summary
<input id="try-operation" list="try-operations" required spellcheck="false" placeholder="signInSignUp"></label>
<datalist id="try-operations"></datalist>
<p id="try-summary"></p>
<fieldset>
<legend>Credentials</legend>
<p>They are kept in the memory of this page and are gone when you reload it.</p>
<label>App key <input id="try-app-key" spellcheck="false" placeholder="pk_…"></label>
<label>Access token <input id="try-access-token" class="secret" spellcheck="false" placeholder="Taken over when you sign up, sign in or refresh"></label>
<label>Secret key <input id="try-secret-key" class="secret" spellcheck="false" placeholder="sk_…" aria-describedby="try-secret-note"></label>
<p id="try-secret-note">Secret keys are for backends: the service accepts them from a browser in GET requests only.</p>
<label>Send with <select id="try-scheme"></select></label>
</fieldset>
<div id="try-fields"></div>
<button id="try-send">Send</button>
</form>
<section aria-label="Response">
<p id="try-status" role="status">No request was sent yet.</p>
<dl id="try-headers"></dl>
<pre id="try-body" tabindex="0" role="region" aria-label="Response body" hidden></pre>
</section>
</div>
</dialog>`;

export const tryItStyle = `
#try-open { position: fixed; z-index: 2; bottom: 1rem; right: 1rem }
@media (max-width: 50rem) { #try-open { right: auto; left: 1rem } }
#try-open, #try button { padding: .4rem 1rem; border: 1px solid var(--link); border-radius: .375rem; background: var(--page); color: var(--link); font: inherit; font-weight: 600; cursor: pointer }
#try-open[hidden] { display: none }
#try [aria-disabled=true] { opacity: .6; cursor: progress }
#try { box-sizing: border-box; width: min(72rem, 100%); max-width: 100%; max-height: 100dvh; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--page); color: var(--text) }
#try::backdrop { background: rgb(0 0 0 / .5) }
#try h2 { float: left; margin: 0; font-size: 1.25rem }
#try-close { float: right }
#try .columns { clear: both; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem 2rem; padding-top: .5rem }
#try .columns > * { min-width: 0 }
#try p { margin: .5rem 0; padding: 0; color: var(--faint); overflow-wrap: anywhere }
#try :is(#try-status, #try-summary) { color: var(--text) }
#try #try-status { font-weight: 600 }
#try section { position: sticky; top: 0; align-self: start }
#try fieldset { min-width: 0; margin: 0; border: 1px solid var(--line); border-radius: .375rem }
#try label { display: block; margin: .5rem 0 }
#try :is(input, select, textarea) { box-sizing: border-box; display: block; width: 100%; padding: .35rem .5rem; border: 1px solid var(--faint); border-radius: .25rem; background: var(--side); color: inherit; font: inherit }
#try textarea, #try pre { font: .875rem/1.5 ui-monospace, monospace }
#try ::placeholder { color: var(--faint); opacity: 1 }
#try .secret:not(:focus) { -webkit-text-security: disc }
#try .secret:placeholder-shown { -webkit-text-security: none }
#try dl { margin: 0; overflow-wrap: anywhere }
#try dt { color: var(--faint) }
#try dd { margin: 0 0 .5rem }
#try pre { margin: 0; max-height: 70dvh; overflow: auto; padding: .75rem; border: 1px solid var(--line); background: var(--side); white-space: pre-wrap; overflow-wrap: anywhere }
#try :focus-visible, #try-open:focus-visible { outline: 2px solid var(--link); outline-offset: 1px }
`;
