// An input for a list: one entry per line.
import { Textarea, type TextareaProps } from '@mantine/core';

export function LinesInput(props: TextareaProps) {
  return <Textarea autosize minRows={1} maxRows={16} spellCheck={false} {...props} />;
}
