// What the first script shows: the page to sign in with, or why the dashboard could not be loaded.
import './styles.ts';
import { MantineProvider } from '@mantine/core';
import { ErrorState } from '../../components/error-state.tsx';
import { styleNonce } from '../../page-config.ts';
import { CenteredPage } from '../../shell/centered-page.tsx';
import { cssVariables, theme } from '../../theme.ts';
import { SignInPage } from './sign-in.tsx';

type Props = { onSignedIn: () => void; onTyping: () => void } | { problem: unknown };

export function SignInEntry(props: Props) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      {'problem' in props ? (
        <CenteredPage title="The dashboard could not be loaded">
          <ErrorState error={props.problem} onRetry={() => location.reload()} />
        </CenteredPage>
      ) : (
        <SignInPage {...props} />
      )}
    </MantineProvider>
  );
}
