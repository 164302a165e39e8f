// Source text to copy.
import { Box, Code } from '@mantine/core';
import { CopyIcon } from './copyable.tsx';

export function Snippet({ text, label }: { text: string; label: string }) {
  return (
    <Box pos="relative">
      <Code
        block
        // Long lines scroll inside the block, which the keyboard must reach.
        tabIndex={0}
        role="region"
        aria-label={label}
        pr={44}
        style={{ overflowX: 'auto', overflowWrap: 'normal', whiteSpace: 'pre' }}
      >
        {text}
      </Code>
      <Box pos="absolute" top={8} right={8} bg="var(--code-bg, var(--mantine-color-body))">
        <CopyIcon value={text} label={label} />
      </Box>
    </Box>
  );
}
