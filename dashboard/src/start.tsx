// Shows the page to sign in with, or the dashboard. This script and what it imports is all that the sign-in page needs; the
// dashboard is loaded while the member types.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { client } from './client.ts';
import { SignInEntry } from './pages/sign-in/sign-in-entry.tsx';

type Dashboard = Promise<typeof import('./app.tsx')>;

const base = '/dashboard/';
const signInPath = `${base}sign-in`;
const root = createRoot(document.getElementById('root') as HTMLElement);

type Start = { dashboard: Dashboard | null; isInvitation: boolean };

export async function start({ dashboard, isInvitation }: Start): Promise<void> {
  const open = () => openDashboard(dashboard ?? loadDashboard());
  if (isInvitation) return open();
  try {
    if ((await client.auth.ready()).status === 'signedOut') return showSignIn();
  } catch (problem) {
    return showProblem(problem);
  }
  return open();
}

function showSignIn() {
  const { pathname, search, hash } = location;
  if (pathname !== signInPath) {
    replaceUrl(`${signInPath}?next=${encodeURIComponent(pathname + search + hash)}`);
  }
  const next = new URLSearchParams(location.search).get('next');
  root.render(
    <StrictMode>
      <SignInEntry
        onTyping={() => void loadDashboard().catch(() => {})}
        onSignedIn={() => {
          // The Back button then leads to where the member came from.
          replaceUrl(next?.startsWith(base) ? next : base);
          void openDashboard(loadDashboard());
        }}
      />
    </StrictMode>,
  );
}

async function openDashboard(dashboard: Dashboard) {
  try {
    const { App } = await dashboard;
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    );
  } catch (problem) {
    showProblem(problem);
  }
}

function showProblem(problem: unknown) {
  root.render(<SignInEntry problem={problem} />);
}

function loadDashboard(): Dashboard {
  return import('./app.tsx');
}

function replaceUrl(url: string) {
  history.replaceState(null, '', url);
}
