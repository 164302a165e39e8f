// Every generated file by its name.
import { changelogOf, nextVersion, releasedChangelog, releasedDocument } from '../compare/release.js';
import { clientDocumentOf, webhooksDocumentOf } from './client/client.js';
import { asOpenApi30 } from './client/openapi-30.js';
import type { ClientDocument } from './client/schema.js';
import { documentOf, textOf } from './document.js';
import { operationsPage } from './operations-page.js';
import { postmanCollectionOf } from './postman.js';
import { v1 } from './v1.js';
import { v2 } from './v2.js';
import { workflowsDocument } from './workflows.js';

export function documents(): Record<string, string> {
  const whole = documentOf(v2);
  const released = releasedDocument();
  whole.info.version = nextVersion(released, whole as unknown as ClientDocument);
  const client = clientDocumentOf(whole);
  return {
    'v1.json': textOf(documentOf(v1)),
    'v2.json': textOf(whole),
    'v2.client.json': textOf(client),
    'v2.client-3.0.json': textOf(asOpenApi30(client)),
    'v2.webhooks.json': textOf(webhooksDocumentOf(whole)),
    'v2.postman.json': textOf(postmanCollectionOf(whole as unknown as ClientDocument)),
    'v2.md': operationsPage(whole),
    'v2.arazzo.json': textOf(workflowsDocument(whole.info.version)),
    'CHANGELOG.md': changelogOf(released, whole as unknown as ClientDocument, releasedChangelog()),
  };
}
