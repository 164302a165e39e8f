// What changed in a schema: an input may only take more, and an answer may only say more.
import type { ClientDocument, Schema } from '../generator/client/schema.js';
import type { Change } from './changes.js';

export type Side = 'input' | 'answer';
type Pair = { before: ClientDocument; after: ClientDocument };

export function compareSchemas(
  documents: Pair,
  side: Side,
  at: string,
  before: Schema,
  after: Schema,
): Change[] {
  const seen = new Set<string>();
  return compare(before, after, []);

  function compare(earlier: Schema, later: Schema, path: string[]): Change[] {
    const pair = `${earlier.$ref} ${later.$ref}`;
    if (earlier.$ref && later.$ref) {
      if (seen.has(pair)) return [];
      seen.add(pair);
    }
    const [a, b] = [resolved(documents.before, earlier), resolved(documents.after, later)];
    if (JSON.stringify(a) === JSON.stringify(b) && !JSON.stringify(a).includes('"$ref"')) return [];
    return [
      ...types(a, b, path),
      ...bounds(a, b, path),
      ...values(a, b, path),
      ...properties(a, b, path),
      ...(a.items && b.items ? compare(a.items, b.items, [...path, '[]']) : []),
      ...extraProperties(a, b, path),
      ...choices(a, b, path),
    ];
  }

  function change(kind: Change['kind'], path: string[], what: string): Change {
    const place = path.join('.').replaceAll('.[]', '[]');
    return { kind, at, what: `${side} ${place === '' ? '' : `\`${place}\` `}${what}` };
  }

  function types(a: Schema, b: Schema, path: string[]): Change[] {
    const [earlier, later] = [typesOf(a), typesOf(b)];
    // A schema without a type takes any value.
    const lost = later.length === 0 ? [] : earlier.filter((type) => !later.includes(type));
    const gained = earlier.length === 0 ? [] : later.filter((type) => !earlier.includes(type));
    const closed = earlier.length === 0 && later.length > 0;
    const opened = earlier.length > 0 && later.length === 0;
    const isWorse = side === 'input' ? lost.length > 0 || closed : gained.length > 0 || opened;
    const words = `was ${earlier.join(' or ') || 'any type'}, is ${later.join(' or ') || 'any type'}`;
    if (isWorse || (a.format !== b.format && !isWiderFormat(a, b))) {
      return [
        change(
          'type-changed',
          path,
          words + (a.format === b.format ? '' : ` (format ${a.format}, now ${b.format})`),
        ),
      ];
    }
    return side === 'input' && (gained.length > 0 || opened) ? [change('input-widened', path, words)] : [];
  }

  /** An input that takes 64 bits takes 32, too. A client that reads 32 bits cannot read 64. */
  function isWiderFormat(a: Schema, b: Schema): boolean {
    return side === 'input' && (b.format === undefined || (a.format === 'int32' && b.format === 'int64'));
  }

  function bounds(a: Schema, b: Schema, path: string[]): Change[] {
    if (side === 'answer') return [];
    const lower = ['minimum', 'minLength', 'minItems', 'exclusiveMinimum'];
    const upper = ['maximum', 'maxLength', 'maxItems', 'exclusiveMaximum'];
    const lengths: Schema = b.enum ? {} : lengthsOf(a);
    return [...lower, ...upper, 'pattern', 'additionalProperties'].flatMap((key) => {
      const is = b[key];
      const was = a[key] ?? (is === undefined ? undefined : lengths[key]);
      if (was === is || typeof was === 'object' || typeof is === 'object') return [];
      const words = `${key} was ${was ?? 'open'}, is ${is ?? 'open'}`;
      const narrower =
        is !== undefined &&
        (was === undefined ||
          (lower.includes(key) && Number(is) > Number(was)) ||
          (upper.includes(key) && Number(is) < Number(was)) ||
          key === 'pattern' ||
          is === false);
      return [change(narrower ? 'input-narrowed' : 'input-widened', path, words)];
    });
  }

  /** The texts of an enumeration have no bounds of their own. */
  function lengthsOf({ enum: texts = [] }: Schema): Schema {
    const lengths = texts.filter((text) => typeof text === 'string').map((text) => text.length);
    return lengths.length === 0 ? {} : { minLength: Math.min(...lengths), maxLength: Math.max(...lengths) };
  }

  function values(a: Schema, b: Schema, path: string[]): Change[] {
    const [earlier, later] = [a.enum, b.enum];
    if (!earlier && !later) return [];
    const added = (later ?? []).filter((value) => !earlier?.includes(value));
    const removed = (earlier ?? []).filter((value) => !later?.includes(value));
    const name = (list: unknown[]) => list.map((value) => `\`${value}\``).join(', ');
    if (side === 'input') {
      if (!earlier) return [change('input-narrowed', path, `takes only ${name(later ?? [])}`)];
      if (!later) return [change('input-widened', path, 'takes any value of its type')];
      return [
        ...(removed.length > 0 ? [change('input-narrowed', path, `no longer takes ${name(removed)}`)] : []),
        ...(added.length > 0 ? [change('input-widened', path, `also takes ${name(added)}`)] : []),
      ];
    }
    if (!earlier) return [];
    if (!later) return [change('value-added', path, 'may be any value of its type')];
    return [
      ...(added.length > 0 ? [change('value-added', path, `may also be ${name(added)}`)] : []),
      ...(removed.length > 0 ? [change('value-removed', path, `is no longer ${name(removed)}`)] : []),
    ];
  }

  function properties(a: Schema, b: Schema, path: string[]): Change[] {
    const [earlier, later] = [a.properties ?? {}, b.properties ?? {}];
    const [needed, needs] = [a.required ?? [], b.required ?? []];
    const keys = [...new Set([...Object.keys(earlier), ...Object.keys(later)])];
    return keys.flatMap((key): Change[] => {
      const own = [...path, key];
      const [was, is] = [earlier[key], later[key]];
      if (!was || !is) return [added(own, is !== undefined, needs.includes(key))];
      const inside = compare(was, is, own);
      if (side === 'input' && needs.includes(key) && !needed.includes(key)) {
        return [change('input-required', own, 'is now required'), ...inside];
      }
      if (side === 'input' && needed.includes(key) && !needs.includes(key)) {
        return [change('input-widened', own, 'is now optional'), ...inside];
      }
      return side === 'answer' && needed.includes(key) && !needs.includes(key)
        ? [change('answer-property-removed', own, 'is no longer always there'), ...inside]
        : inside;
    });
  }

  function added(path: string[], isNew: boolean, isRequired: boolean): Change {
    if (side === 'answer') {
      return isNew
        ? change('answer-property-added', path, 'is new')
        : change('answer-property-removed', path, 'is gone');
    }
    if (!isNew) return change('input-removed', path, 'is gone');
    return isRequired
      ? change('input-required', path, 'is new and required')
      : change('input-added', path, 'is new');
  }

  function extraProperties(a: Schema, b: Schema, path: string[]): Change[] {
    const [was, is] = [a.additionalProperties, b.additionalProperties];
    return typeof was === 'object' && typeof is === 'object' ? compare(was, is, [...path, '*']) : [];
  }

  function choices(a: Schema, b: Schema, path: string[]): Change[] {
    return (['allOf', 'anyOf', 'oneOf'] as const).flatMap((key) => {
      const [earlier, later] = [a[key] ?? [], b[key] ?? []];
      const partner = (choice: Schema, index: number) =>
        later.find(({ $ref }) => $ref !== undefined && $ref === choice.$ref) ??
        (choice.$ref ? undefined : later[index]);
      const changes = earlier.flatMap((choice, index): Change[] => {
        const found = partner(choice, index);
        if (found) return compare(choice, found, path);
        return [change(side === 'input' ? 'input-narrowed' : 'type-changed', path, 'has one form less')];
      });
      if (later.length <= earlier.length) return changes;
      if (side === 'answer') return [...changes, change('value-added', path, 'may have a new form')];
      const kind = key === 'allOf' ? 'input-narrowed' : 'input-widened';
      return [
        ...changes,
        change(kind, path, kind === 'input-widened' ? 'takes a new form' : 'has a new condition'),
      ];
    });
  }
}

function typesOf({ type }: Schema): string[] {
  return [type ?? []].flat();
}

/** The schema itself in place of a reference. */
export function resolved<Part extends { $ref?: string }>(document: ClientDocument, part: Part): Part {
  if (part.$ref === undefined) return part;
  const keys = part.$ref.slice(2).split('/');
  const found = keys.reduce((inside: unknown, key) => (inside as Record<string, unknown>)[key], document);
  return resolved(document, found as Part);
}
