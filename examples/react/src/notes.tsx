// Notes that only their author can read, in a collection with the access mode `owner`. A note may have a private file.
import { collection, type DataRecord, files, isFoyerError } from '@foyer/sdk';
import { usePages } from '@foyer/sdk/react';
import { useState } from 'react';
import { Form, messageOf, Problem, useAction } from './action';
import { client } from './foyer';

interface Note {
  text: string;
  done: boolean;
  file: { id: string; name: string } | null;
}

const notes = collection<Note>(client, 'notes');
const store = files(client);

export function Notes() {
  const { items, error, isLoading, hasMore, loadMore, refresh } = usePages((page, options) =>
    notes.query(options).orderBy('$created_at', 'desc').limit(10).startAfter(page.cursor),
  );

  return (
    <>
      <NewNote onAdded={refresh} />
      <Problem text={error === null ? '' : messageOf(error)} />
      <ul className="cards" aria-label="Notes" aria-busy={isLoading}>
        {items.map((note) => (
          <NoteCard key={note.id} note={note} onChanged={refresh} />
        ))}
      </ul>
      {!isLoading && error === null && items.length === 0 && <p>No notes yet.</p>}
      {hasMore && (
        <button type="button" disabled={isLoading} onClick={loadMore}>
          Show more
        </button>
      )}
    </>
  );
}

function NewNote({ onAdded }: { onAdded: () => Promise<void> }) {
  const [progress, setProgress] = useState<number>();

  async function upload(chosen: File) {
    try {
      const { id, name } = await store.upload(chosen, {
        onProgress: ({ loaded, total = chosen.size }) => setProgress(loaded / total),
      });
      return { id, name };
    } finally {
      setProgress(undefined);
    }
  }

  return (
    <Form
      submit="Add"
      onSubmit={async (field, form) => {
        const [chosen] = (form.elements.namedItem('file') as HTMLInputElement).files ?? [];
        const file = chosen ? await upload(chosen) : null;
        await create({ text: field('text'), done: false, file });
        form.reset();
        await onAdded();
      }}
    >
      <label>
        New note
        <input name="text" required maxLength={500} />
      </label>
      <label>
        File (optional)
        <input name="file" type="file" />
      </label>
      {progress !== undefined && <progress aria-label="Upload" value={progress} />}
    </Form>
  );
}

async function create(note: Note) {
  try {
    await notes.create(note);
  } catch (error) {
    // Without a response the note may exist, with its file. Refused, it does not.
    const isRefused = isFoyerError(error) && error.status >= 400 && error.status < 500;
    if (note.file && isRefused) await deleteFile(note.file.id).catch(() => {});
    throw error;
  }
}

async function deleteFile(id: string) {
  try {
    await store.delete(id);
  } catch (error) {
    // An earlier attempt deleted it, and then not the note.
    if (!isFoyerError(error, 'files/not-found')) throw error;
  }
}

function NoteCard({ note, onChanged }: { note: DataRecord<Note>; onChanged: () => Promise<void> }) {
  const { id, fields } = note;
  const { isBusy, problem, run } = useAction();

  async function open(fileId: string) {
    const { url } = await store.url(fileId, { download: true });
    location.assign(url);
  }

  async function remove() {
    // The file first: if that fails, the note remains with it, and the user can try again.
    if (fields.file) await deleteFile(fields.file.id);
    await notes.delete(id);
    await onChanged();
  }

  return (
    <li>
      <label className="check">
        <input
          type="checkbox"
          checked={fields.done}
          disabled={isBusy}
          onChange={(event) => {
            const done = event.target.checked;
            void run(() => notes.merge(id, { done }).then(onChanged));
          }}
        />
        <span>{fields.text}</span>
      </label>
      {fields.file && (
        <button type="button" className="link" onClick={() => run(() => open(fields.file?.id ?? ''))}>
          {fields.file.name}
        </button>
      )}
      <button
        type="button"
        aria-label={`Delete ${fields.text}`}
        disabled={isBusy}
        onClick={() => run(remove)}
      >
        Delete
      </button>
      <Problem text={problem} />
    </li>
  );
}
