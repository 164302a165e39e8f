// Signing in to the dashboard, and the reset of a forgotten password.
import { Anchor, PasswordInput, TextInput } from '@mantine/core';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../client.ts';
import { useApiForm } from '../../components/api-form.ts';
import { PageForm } from '../../components/page-form.tsx';
import { CenteredPage } from '../../shell/centered-page.tsx';
import { ForgotPassword } from './forgot-password.tsx';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const [forgot, setForgot] = useState<string | null>(null);
  if (forgot !== null) return <ForgotPassword email={forgot} onClose={() => setForgot(null)} />;
  return <SignIn onForgot={setForgot} />;
}

function SignIn({ onForgot }: { onForgot: (email: string) => void }) {
  const router = useRouter();
  const { next } = route.useSearch();
  const { form, ...submit } = useApiForm({
    initialValues: { email: '', password: '' },
    send: (credential) => client.auth.signIn(credential),
    onSaved: () => {
      // The Back button then leads to where the member came from: this page leads on at once.
      if (next?.startsWith('/dashboard/')) router.history.replace(next);
      else void router.navigate({ to: '/', replace: true });
    },
  });
  return (
    <CenteredPage title="Sign in">
      <PageForm {...submit} submitLabel="Sign in" grow>
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          {...form.getInputProps('password')}
        />
      </PageForm>
      <Anchor component="button" type="button" size="sm" onClick={() => onForgot(form.values.email)}>
        Forgot your password?
      </Anchor>
    </CenteredPage>
  );
}
