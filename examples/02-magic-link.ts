// Sign in with the link of a mail; the first one makes the account.
// Run it against your service:  FOYER_APP_KEY=pk_… npx tsx examples/02-magic-link.ts
// It reads the mail in the development mailbox, so SMTP_URL must not be set. The link needs the app's deep link, set once:
//   curl -X PATCH http://localhost:3000/api/v2/admin/settings -H 'X-App-Key: pk_…' -H 'Authorization: Bearer sk_…' \
//     -H 'Content-Type: application/json' -d '{"deep_link": "https://app.example.com/sign-in"}'
import { createClient, isFoyerError } from '@foyer/sdk';

const baseUrl = process.env.FOYER_BASE_URL ?? 'http://localhost:3000/api/v2';
const foyer = createClient({ baseUrl, appKey: process.env.FOYER_APP_KEY ?? '' });

const email = `ada-${Date.now()}+link@example.com`;
// The client remembers which code this call announced, and says so with the code: strangers who ask for codes of the same
// email cannot make it worthless. A link that is opened on another device works without.
const { expires_in } = await foyer.auth.emailCode.send(email);
console.log('a link was mailed; it works for', expires_in / 60, 'minutes');

// The link opens the app. A browser has it in `location.href`, React Native in `Linking`'s `url` events.
const url = await linkMailedTo(email);
const link = foyer.auth.emailCode.parseLink(url);
if (!link) throw new Error(`this opens something else: ${url}`);
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

/** What the user's mail program would show. */
async function linkMailedTo(address: string): Promise<string> {
  const mailbox = new URL(`/dev/mailbox?to=${encodeURIComponent(address)}`, baseUrl);
  for (let tries = 0; tries < 100; tries++) {
    const response = await fetch(mailbox, { headers: { Accept: 'application/json' } });
    const { data } = (await response.json()) as { data: { items: { link: string | null }[] } };
    const [mail] = data.items;
    if (mail?.link) return mail.link;
    if (mail) throw new Error("the mail holds no link: the app's deep link is not set");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('no mail came');
}
