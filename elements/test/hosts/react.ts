// A React app, in strict mode, whose effects run twice.
import { createClient } from '@foyer/sdk';
import { createElement, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Account, SignIn } from '../../src/react.js';
import { note, options } from './page.js';

const client = createClient(options);

function App() {
  const [isSignedIn, setSignedIn] = useState(false);
  if (isSignedIn) {
    return createElement(Account, {
      client,
      onSignedOut: (detail) => {
        note('foyer-signed-out', detail);
        setSignedIn(false);
      },
    });
  }
  return createElement(SignIn, {
    client,
    className: 'mine',
    onSignedIn: (detail) => {
      note('foyer-signed-in', detail);
      setSignedIn(true);
    },
  });
}

createRoot(document.querySelector('main')!).render(createElement(StrictMode, null, createElement(App)));
