// llms.txt, in the form of llmstxt.org: what Foyer is, and where its documentation is as Markdown.
import { overview, sections } from './guides.js';

export const operationsPath = '/docs/api.md';

/** `origin` is the origin of the service, `packages` are the paths of the SDK's package and of that of the ready screens. */
export function llmsText(origin: string, packages: { sdk: string; elements: string }): string {
  const link = (title: string, path: string, about: string) => `- [${title}](${origin}${path}): ${about}`;
  const lists = sections.map(({ title, guides }) =>
    [
      `## ${title}`,
      guides.map((guide) => link(guide.title, `${guide.path}.md`, guide.about)).join('\n'),
    ].join('\n\n'),
  );
  return `# Foyer

> User accounts and sign-in for mobile and web apps, run by the app's own team: passwords, emailed codes, passkeys, identity
> providers, sessions, profiles, and an admin API. This is the documentation of the service at ${origin}.

The base URL of the API is \`${origin}/api/v2\`. Calls carry the key of the app (\`pk_…\`), which is public; ask the team for it, or
read it in the dashboard (${origin}/dashboard) under Quick start. The service serves its TypeScript SDK:

\`\`\`sh
npm install ${origin}${packages.sdk}
\`\`\`

It serves ready sign-in and account screens for web apps, too (see Ready screens): add \`${origin}${packages.elements}\` to that command.
Every app has a page for its users at \`${origin}/account?app=<app key>\`, where they sign in, and manage or delete their account.

Every page below is Markdown; without \`.md\`, the same path is the page for people.

${lists.join('\n\n')}

## API

${link(overview.title, `${overview.path}.md`, `the SDK: ${overview.about}`)}
${link('Operations', operationsPath, 'every endpoint of the HTTP API with its fields, answers, errors and limits; long')}
- [OpenAPI document](${origin}/api/v2/openapi.json): the same for programs

## Optional

- [OpenAPI document for generated clients](${origin}/api/v2/openapi.client.json): with names for every schema
- [Documentation of the API for people](${origin}/docs): with a form to try every call
`;
}
