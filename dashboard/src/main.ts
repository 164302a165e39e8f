// The entry, which is small: it asks for the dashboard at once if a session is stored, while the page still loads what both
// the dashboard and the sign-in page need.
import { hasStoredSession } from './stored-session.ts';

// An invitation needs no session, and is a page of the dashboard itself.
const isInvitation = location.pathname === '/dashboard/invitation';
const isMember = isInvitation || hasStoredSession();
const dashboard = isMember ? import('./app.tsx') : null;
// Reported by the page that waits for it.
dashboard?.catch(() => {});
import('./start.tsx').then(
  ({ start }) => start({ dashboard, isInvitation }),
  () => {
    // Nothing that could draw a better page has been loaded.
    const root = document.getElementById('root') as HTMLElement;
    root.textContent = 'The dashboard could not be loaded. Check your connection, then reload the page.';
  },
);
