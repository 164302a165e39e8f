// Sign in with an emailed link; the first sign-in creates the account.
// Run it against your service:  FOYER_APP_KEY=pk_… npx tsx examples/02-magic-link.ts
// It reads the email from the development mailbox: FOYER_MAILBOX_URL is the URL that npm start prints. It
// requires the app's deep link, set once:
//   curl -X PATCH http://localhost:3000/api/v2/admin/settings -H 'X-App-Key: pk_…' -H 'Authorization: Bearer sk_…' \
//     -H 'Content-Type: application/json' -d '{"deep_link": "https://app.example.com/sign-in"}'
import { createClient, isFoyerError } from '@foyer/sdk';

const baseUrl = process.env.FOYER_BASE_URL ?? 'http://localhost:3000/api/v2';
const foyer = createClient({ baseUrl, appKey: process.env.FOYER_APP_KEY ?? '' });

const email = `ada-${Date.now()}+link@example.com`;
// The client binds the sign-in to the code of this request: other clients that request codes for the same email cannot
// invalidate it. A link that is opened on another device works without that binding.
const { expires_in } = await foyer.auth.emailCode.send(email);
console.log('a link was emailed; it is valid for', expires_in / 60, 'minutes');

// The link opens the app. A browser has it in `location.href`, React Native in `Linking`'s `url` events.
const url = await linkMailedTo(email);
const link = foyer.auth.emailCode.parseLink(url);
if (!link) throw new Error(`not a sign-in link: ${url}`);
const { user } = await foyer.auth.emailCode.verify({ ...link, first_name: 'Ada' });
console.log('hello', user.first_name, user.email_verified ? 'whose email is verified' : '');

try {
  await foyer.auth.emailCode.verify(link);
} catch (error) {
  if (!isFoyerError(error, 'auth/invalid-code')) throw error;
  console.log('a link works once:', error.message);
}

await foyer.auth.signOut();
foyer.dispose();

/** Reads the link that the user's email program would show. */
async function linkMailedTo(address: string): Promise<string> {
  const mailbox = new URL(process.env.FOYER_MAILBOX_URL ?? '/dev/mailbox', baseUrl);
  mailbox.searchParams.set('to', address);
  for (let tries = 0; tries < 100; tries++) {
    const response = await fetch(mailbox, { headers: { Accept: 'application/json' } });
    if (!response.ok) throw new Error('set FOYER_MAILBOX_URL to the URL of the mails that npm start prints');
    const { data } = (await response.json()) as { data: { items: { link: string | null }[] } };
    const [mail] = data.items;
    if (mail?.link) return mail.link;
    if (mail) throw new Error("the email contains no link: the app's deep link is not set");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('no email arrived');
}
