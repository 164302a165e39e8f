// Text of a machine in a box of its own, which scrolls if the text is long.
import { Code } from '@mantine/core';

type Props = { label: string; children: string; maxHeight?: number };

export function CodeBlock({ label, children, maxHeight = 360 }: Props) {
  return (
    <Code
      block
      // The keyboard must reach what scrolls.
      tabIndex={0}
      role="region"
      aria-label={label}
      mah={maxHeight}
      style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
    >
      {children}
    </Code>
  );
}
