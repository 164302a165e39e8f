// The first calls of an app, filled with the URL of the service and the app's key.

export type Snippets = { title: string; text: string; curl: string; sdk: string }[];

export function clientSnippets(api: string, appKey: string): Snippets {
  return [
    {
      title: '1. Create a client',
      text: 'Every call carries the app key. It is public: it belongs in your app.',
      curl: `API='${api}'\nAPP_KEY='${appKey}'`,
      sdk: `import { createClient } from '@foyer/sdk';

export const client = createClient({
  baseUrl: '${api}',
  appKey: '${appKey}',
});`,
    },
    {
      title: '2. Sign up a user',
      text: 'The response has an access token, a refresh token and the user, who then appears under Users.',
      curl: `curl "$API/auth/sign-up" \\
  -H "X-App-Key: $APP_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"email": "ada@example.com", "password": "correct horse", "first_name": "Ada"}'`,
      sdk: `await client.auth.signUp({
  email: 'ada@example.com',
  password: 'correct horse',
  first_name: 'Ada',
});`,
    },
    {
      title: '3. Read the profile',
      text: 'Signed-in calls carry the access token. The SDK stores and refreshes it.',
      curl: `ACCESS_TOKEN='…' # access_token of the response
curl "$API/me" \\
  -H "X-App-Key: $APP_KEY" \\
  -H "Authorization: Bearer $ACCESS_TOKEN"`,
      sdk: 'const user = await client.me.get();',
    },
    {
      title: '4. Read Remote Config',
      text: 'Values that your team publishes under Remote Config, for signed-in and signed-out clients.',
      curl: `curl "$API/config" -H "X-App-Key: $APP_KEY"`,
      sdk: `import { remoteConfig } from '@foyer/sdk';

const values = await remoteConfig(client).get();`,
    },
  ];
}

/** The ready screens: the two lines of a page. */
export function screenLines(api: string, appKey: string): string {
  return `<script type="module">import '@foyer/elements';</script>
<foyer-sign-in base-url="${api}" app-key="${appKey}"></foyer-sign-in>`;
}

/** The page of the service where users of the app manage or delete their accounts. */
export function accountPageUrl(api: string, appKey: string): string {
  return `${new URL(api).origin}/account?app=${appKey}`;
}

export function serverSnippets(api: string, appKey: string, appId: string): Snippets {
  return [
    {
      title: '5. Call from your server',
      text: 'Your server uses a secret key. Never put it into an app or a web page.',
      curl: `FOYER_SECRET_KEY='sk_…'
curl "$API/admin/users?limit=5" \\
  -H "X-App-Key: $APP_KEY" \\
  -H "Authorization: Bearer $FOYER_SECRET_KEY"`,
      sdk: `import { createAdmin } from '@foyer/sdk/admin';

const admin = createAdmin({
  baseUrl: '${api}',
  appKey: '${appKey}',
  appId: '${appId}',
  secretKey: process.env.FOYER_SECRET_KEY,
});

for await (const user of admin.users.list()) console.log(user.email);`,
    },
  ];
}
