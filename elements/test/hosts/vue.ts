// A Vue app, which uses the elements by name.
import { createClient } from '@foyer/sdk';
import { createApp, h, ref } from 'vue';
import type { SignedInDetail, SignedOutDetail } from '../../src/index.js';
import '../../src/index.js';
import { note, options } from './page.js';

const client = createClient(options);
const isSignedIn = ref(false);

const app = createApp({
  render: () =>
    isSignedIn.value
      ? h('foyer-account', {
          client,
          onFoyerSignedOut: ({ detail }: CustomEvent<SignedOutDetail>) => {
            note('foyer-signed-out', detail);
            isSignedIn.value = false;
          },
        })
      : h('foyer-sign-in', {
          client,
          onFoyerSignedIn: ({ detail }: CustomEvent<SignedInDetail>) => {
            note('foyer-signed-in', detail);
            isSignedIn.value = true;
          },
        }),
});
app.config.compilerOptions.isCustomElement = (tag) => tag.startsWith('foyer-');
app.mount('main');
