// The changes from one version of the document to another.
import type { Answer, Body, ClientDocument, Operation, Parameter } from '../generator/client/schema.js';
import type { Change } from './changes.js';
import { compareSchemas, resolved, type Side } from './compare-schemas.js';

type Place = { before: ClientDocument; after: ClientDocument; at: string };

export function changesBetween(before: ClientDocument, after: ClientDocument): Change[] {
  const [earlier, later] = [operationsAt(before), operationsAt(after)];
  const changes = [...new Set([...earlier.keys(), ...later.keys()])].flatMap((at): Change[] => {
    const [was, is] = [earlier.get(at), later.get(at)];
    const place = { before, after, at };
    if (was && is) return compareOperations(place, was, is);
    return [
      was
        ? { kind: 'operation-removed', at, what: 'is gone' }
        : { kind: 'operation-added', at, what: 'is new' },
    ];
  });
  // One schema in many places changes once for each operation, and once in it.
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}

function operationsAt({ paths, webhooks = {} }: ClientDocument): Map<string, Operation> {
  const entries = [
    ...Object.entries(paths),
    ...Object.entries(webhooks).map(([name, methods]) => [`webhook ${name}`, methods] as const),
  ];
  return new Map(
    entries.flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
      ),
    ),
  );
}

function compareOperations(place: Place, was: Operation, is: Operation): Change[] {
  const { at } = place;
  // A webhook is sent by the service: what it takes as a request is an answer for those who receive it.
  const side: Side = at.includes(' webhook ') ? 'answer' : 'input';
  const renamed: Change[] =
    was.operationId === is.operationId
      ? []
      : [{ kind: 'operation-id-changed', at, what: `was \`${was.operationId}\`, is \`${is.operationId}\`` }];
  const deprecated: Change[] =
    !was.deprecated && is.deprecated ? [{ kind: 'deprecated', at, what: 'is deprecated' }] : [];
  return [
    ...renamed,
    ...deprecated,
    ...compareCredentials(at, was, is),
    ...compareParameters(place, was.parameters ?? [], is.parameters ?? []),
    ...compareBodies(place, side, was.requestBody, is.requestBody),
    ...compareAnswers(place, was.responses, is.responses),
  ];
}

function compareCredentials(at: string, was: Operation, is: Operation): Change[] {
  const ways = ({ security = [] }: Operation) => {
    const all = (security as Record<string, unknown>[]).map((each) => Object.keys(each).sort().join(' and '));
    return all.length === 0 ? ['none'] : all;
  };
  const gone = ways(was).filter((way) => !ways(is).includes(way));
  const added = ways(is).filter((way) => !ways(was).includes(way));
  return [
    ...gone.map((way): Change => ({ kind: 'credential-removed', at, what: `no longer takes ${way}` })),
    ...added.map((way): Change => ({ kind: 'credential-added', at, what: `takes ${way}` })),
  ];
}

function compareParameters(place: Place, was: Parameter[], is: Parameter[]): Change[] {
  const { at } = place;
  const find = (list: Parameter[], other: Parameter) =>
    list.find((each) => each.name === other.name && each.in === other.in);
  const gone = was.filter((each) => !find(is, each));
  return [
    ...gone.map(
      (each): Change => ({ kind: 'input-removed', at, what: `${each.in} \`${each.name}\` is gone` }),
    ),
    ...is.flatMap((each): Change[] => {
      const earlier = find(was, each);
      const name = `${each.in} \`${each.name}\``;
      if (!earlier) {
        const kind = each.required ? 'input-required' : 'input-added';
        return [{ kind, at, what: `${name} is new${each.required ? ' and required' : ''}` }];
      }
      const required: Change[] =
        each.required && !earlier.required
          ? [{ kind: 'input-required', at, what: `${name} is now required` }]
          : [];
      const inside = compareSchemas(place, 'input', at, earlier.schema, each.schema);
      return [...required, ...inside.map((change) => ({ ...change, what: `${name}: ${change.what}` }))];
    }),
  ];
}

function compareBodies(place: Place, side: Side, was: Body | undefined, is: Body | undefined): Change[] {
  const { at } = place;
  const [earlier, later] = [was?.content ?? {}, is?.content ?? {}];
  const required: Change[] =
    side === 'input' && is?.required && !was?.required
      ? [{ kind: 'input-required', at, what: 'a body is now required' }]
      : [];
  const types = [...new Set([...Object.keys(earlier), ...Object.keys(later)])];
  return [
    ...required,
    ...types.flatMap((type): Change[] => {
      const [a, b] = [earlier[type], later[type]];
      if (a && b) return compareSchemas(place, side, at, a.schema, b.schema);
      // An answer that had no body may get one.
      if (b && required.length > 0) return [];
      const kind = a ? 'media-type-removed' : 'media-type-added';
      return [{ kind, at, what: `${side === 'input' ? 'body' : 'answer'} ${type} is ${a ? 'gone' : 'new'}` }];
    }),
  ];
}

function compareAnswers(place: Place, was: Record<string, Answer>, is: Record<string, Answer>): Change[] {
  const { at, before, after } = place;
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((status): Change[] => {
    const [a, b] = [was[status], is[status]];
    if (!a || !b)
      return [
        {
          kind: a ? 'status-removed' : 'status-added',
          at,
          what: `status ${status} is ${a ? 'gone' : 'new'}`,
        },
      ];
    const [earlier, later] = [resolved(before, a), resolved(after, b)];
    const inside = compareBodies(place, 'answer', earlier, later);
    return inside.map((change) => ({ ...change, what: `${status}: ${change.what}` }));
  });
}
