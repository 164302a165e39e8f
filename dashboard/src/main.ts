// The entry, which is small: if a session is stored, it asks for the dashboard and for what its first page shows at once, while
// the page still loads what both the dashboard and the sign-in page need.
import { hasStoredSession } from './stored-session.ts';

// An invitation needs no session, and is a page of the dashboard itself.
const isInvitation = location.pathname === '/dashboard/invitation';
const hasSession = hasStoredSession();
const isMember = isInvitation || hasSession;
const dashboard = isMember ? import('./app.tsx') : null;
// Reported by the page that waits for it.
dashboard?.catch(() => {});
// Without these reads the page is only slower.
if (hasSession && !isInvitation)
  import('./early-reads.ts').then(
    ({ readEarly }) => readEarly(),
    () => {},
  );
import('./start.tsx').then(
  ({ start }) => start({ dashboard, isInvitation }),
  () => {
    // Nothing that could draw a better page has been loaded.
    const root = document.getElementById('root') as HTMLElement;
    root.textContent = 'The dashboard could not be loaded. Check your connection, then reload the page.';
  },
);
