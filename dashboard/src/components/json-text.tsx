// A JSON value as indented text.
import { CodeBlock } from './code-block.tsx';

export function JsonText({ value, label }: { value: unknown; label: string }) {
  return <CodeBlock label={label}>{JSON.stringify(value, null, 2)}</CodeBlock>;
}
