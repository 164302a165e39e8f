// A JSON value as indented text.
import { Code } from '@mantine/core';

export function JsonText({ value, label }: { value: unknown; label: string }) {
  return (
    <Code
      block
      // Long values scroll inside the block, which the keyboard must reach.
      tabIndex={0}
      role="region"
      aria-label={label}
      mah={360}
      style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
    >
      {JSON.stringify(value, null, 2)}
    </Code>
  );
}
