// The records of the scripted service: any collection name, with versions and preconditions.
import { type Answer, data, refusal } from './scripted-answers.js';

type Kept = { id: string; fields: Record<string, unknown>; version: number };

export function scriptedRecords() {
  const records = new Map<string, Kept>();
  let serial = 0;

  const shown = ({ id, fields, version }: Kept) => ({
    id,
    collection: 'notes',
    fields,
    owner_uid: null,
    version,
    created_at: '2026-01-02T03:04:05.678000Z',
    updated_at: '2026-01-02T03:04:05.678000Z',
  });
  const page = (limit: number, from: string) => {
    const rest = [...records.values()].filter(({ id }) => id > from).sort((a, b) => (a.id < b.id ? -1 : 1));
    const items = rest.slice(0, limit).map(shown);
    return { items, next_cursor: rest.length > limit ? items.at(-1)!.id : null };
  };

  /** Undefined for every other route. */
  function answer(
    route: string,
    input: Record<string, unknown>,
    headers: Record<string, string | string[] | undefined>,
  ): Answer | undefined {
    const [, method, id, query = ''] =
      /^(\w+) \/api\/v2\/data\/[^/?]+(?:\/([^/?]+))?(?:\?(.*))?$/.exec(route) ?? [];
    if (!method) return undefined;
    const asked = new URLSearchParams(query);
    if (method === 'POST' && id === 'query') {
      return data(200, page(Number(input.limit ?? 25), String(input.startAfter ?? '')));
    }
    if (method === 'GET' && !id)
      return data(200, page(Number(asked.get('limit') ?? 25), asked.get('cursor') ?? ''));
    const key = id ?? `new-${++serial}`;
    const known = records.get(key);
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
    if (ifMatch !== undefined && ifMatch !== `"${known?.version}"`)
      return refusal(412, 'data/precondition-failed');
    if (ifNoneMatch === '*' && known) return refusal(412, 'data/precondition-failed');
    if (!known && ['GET', 'PATCH', 'DELETE'].includes(method)) return refusal(404, 'data/not-found');
    if (method === 'GET') return data(200, shown(known!));
    if (method === 'DELETE') {
      records.delete(key);
      return { status: 204 };
    }
    const fields = input.fields as Record<string, unknown>;
    const kept = {
      id: key,
      fields: method === 'PATCH' ? { ...known!.fields, ...fields } : fields,
      version: (known?.version ?? 0) + 1,
    };
    records.set(key, kept);
    return data(known ? 200 : 201, shown(kept));
  }

  return { records, answer };
}
