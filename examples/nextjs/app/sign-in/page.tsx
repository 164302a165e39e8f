import { connection } from '../../lib/foyer-server';
import { SignInForm } from './form';

/** The app's key is that of the running server, not of the build. */
export const dynamic = 'force-dynamic';

export default function SignIn() {
  return (
    <>
      <h1>Sign in</h1>
      <SignInForm connection={connection()} />
    </>
  );
}
