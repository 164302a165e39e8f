import { FoyerProvider } from '@foyer/sdk/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { client } from './foyer';
import './style.css';

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <FoyerProvider client={client}>
      <App />
    </FoyerProvider>
  </StrictMode>,
);
