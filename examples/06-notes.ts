// Notes that belong to their authors: records in a collection with access mode `owner`, written and queried with the SDK.
// Run it against your service:  FOYER_APP_KEY=pk_… FOYER_SECRET_KEY=sk_… npx tsx examples/06-notes.ts
import { collection, createClient, isFoyerError } from '@foyer/sdk';

const baseUrl = process.env.FOYER_BASE_URL ?? 'http://localhost:3000/api/v2';
const appKey = process.env.FOYER_APP_KEY ?? '';

interface Note {
  title: string;
  done: boolean;
  place: { name: string; floor?: number };
  tags: string[];
}

// Once, by your backend: declares the collection, accessible only to each note's owner.
const declared = await fetch(`${baseUrl}/admin/collections`, {
  method: 'POST',
  headers: {
    'X-App-Key': appKey,
    Authorization: `Bearer ${process.env.FOYER_SECRET_KEY}`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({ name: 'notes', access_mode: 'owner', indexed_fields: ['title'] }),
});
if (!declared.ok && declared.status !== 409) throw new Error(await declared.text());

const ada = createClient({ baseUrl, appKey });
const notes = collection<Note>(ada, 'notes');

// The client is signed out, and the access mode permits owners only.
const refused = await notes.list().then(
  () => 'let in',
  (error) => (isFoyerError(error) ? error.code : 'lost'),
);
console.log('signed out:', refused);

await ada.auth.signUp({ email: `ada-${Date.now()}@example.com`, password: 'correct horse battery staple' });
const groceries = await notes.create({
  title: 'Groceries',
  done: false,
  place: { name: 'market' },
  tags: ['weekly'],
});
await notes.create({
  title: 'Call Charles',
  done: false,
  place: { name: 'home' },
  tags: ['engine', 'weekly'],
});
await notes.create({ title: 'Notes on the engine', done: true, place: { name: 'home' }, tags: ['engine'] });

// A merge preserves the fields it does not contain, at every depth.
const merged = await notes.merge(groceries.id, { place: { floor: 2 } });
console.log('merged:', merged.fields.place);

// Concurrent updates of the same note are both applied.
const tag = (name: string) => notes.update(groceries.id, (note) => ({ ...note, tags: [...note.tags, name] }));
await Promise.all([tag('phone'), tag('laptop')]);
const tagged = await notes.get(groceries.id);
console.log('tags:', tagged?.fields.tags.toSorted().join(' '));

const open = notes.query().where('done', '==', false).orderBy('title').limit(1);
for await (const { fields } of open) console.log('open:', fields.title);
const weekly = await notes
  .query()
  .where('tags', 'array-contains', 'weekly')
  .where('place.name', '!=', 'home');
console.log('weekly, not at home:', weekly.items.map(({ fields }) => fields.title).join(', '));

// Another user cannot read them.
const bob = createClient({ baseUrl, appKey });
await bob.auth.signUp({ email: `bob-${Date.now()}@example.com`, password: 'correct horse battery staple' });
const seen = await collection<Note>(bob, 'notes').get(groceries.id);
console.log('seen by somebody else:', seen);

// Deleting the account deletes its notes.
await ada.me.delete();
await bob.me.delete();
ada.dispose();
bob.dispose();
