// Password reset: an emailed code sets a new password, and revokes every session of the account.
// Run it against your service:  FOYER_APP_KEY=pk_… npx tsx examples/03-password-reset.ts
// It reads the email from the development mailbox: FOYER_MAILBOX_URL is the URL that npm start prints.
import { createClient, isFoyerError } from '@foyer/sdk';

const baseUrl = process.env.FOYER_BASE_URL ?? 'http://localhost:3000/api/v2';
const foyer = createClient({ baseUrl, appKey: process.env.FOYER_APP_KEY ?? '' });
foyer.auth.onStateChange((state) => {
  console.log('state:', state.status, state.status === 'signedOut' ? (state.reason ?? '') : '');
});

const email = `ada-${Date.now()}@example.com`;
await foyer.auth.signUp({ email, password: 'the password that gets lost', first_name: 'Ada' });

// The response is the same whether or not the email has an account. The client binds the reset to the code it requested:
// other clients that request or guess codes for the same email cannot invalidate it.
await foyer.auth.password.forgot(email);
const code = await codeMailedTo(email);
await foyer.auth.password.reset({ email, code, password: 'correct horse battery staple' });

try {
  await foyer.auth.signIn({ email, password: 'the password that gets lost' });
} catch (error) {
  if (!isFoyerError(error, 'auth/invalid-credential')) throw error;
  console.log('the old password:', error.message);
}
const { user } = await foyer.auth.signIn({ email, password: 'correct horse battery staple' });
console.log('hello again', user.first_name);

await foyer.auth.signOut();
foyer.dispose();

/** Reads the code that the user would type from the email. */
async function codeMailedTo(address: string): Promise<string> {
  const mailbox = new URL(process.env.FOYER_MAILBOX_URL ?? '/dev/mailbox', baseUrl);
  mailbox.searchParams.set('to', address);
  for (let tries = 0; tries < 100; tries++) {
    const response = await fetch(mailbox, { headers: { Accept: 'application/json' } });
    if (!response.ok) throw new Error('set FOYER_MAILBOX_URL to the URL of the mails that npm start prints');
    const { data } = (await response.json()) as { data: { items: { code: string | null }[] } };
    const code = data.items[0]?.code;
    if (code) return code;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('no email arrived');
}
