// What may change between two versions of the document, and which of it breaks a client. docs/breaking-changes.md explains
// the same to readers.
export const breakingKinds = {
  'operation-removed': 'an operation is gone',
  'operation-id-changed': 'an operation has another operationId',
  'status-removed': 'a success or error status is gone',
  'media-type-removed': 'a media type is gone',
  'answer-property-removed': 'a property of an answer is gone or no longer always there',
  'type-changed': 'a type takes or answers other values',
  'input-required': 'an input is new and required, or newly required',
  'input-removed': 'an input is gone',
  'input-narrowed': 'a bound or an enumeration of an input is narrower',
  'credential-removed': 'a credential is no longer accepted',
} as const;

export const additionKinds = {
  'operation-added': 'a new operation',
  'status-added': 'a new status',
  'media-type-added': 'a new media type',
  'answer-property-added': 'a new property of an answer',
  'input-added': 'a new optional input',
  'input-widened': 'an input takes more values',
  'value-added': 'a new value or error code in answers',
  'value-removed': 'a value or error code that is no longer answered',
  'credential-added': 'another credential is accepted',
  deprecated: 'an operation is deprecated',
} as const;

export type BreakingKind = keyof typeof breakingKinds;
export type AdditionKind = keyof typeof additionKinds;
export type Change = { kind: BreakingKind | AdditionKind; at: string; what: string };

export function isBreaking({ kind }: Change): boolean {
  return kind in breakingKinds;
}
