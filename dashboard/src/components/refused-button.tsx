// A button that does nothing now: it stays visible and says why.
import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';

type Props = ButtonProps &
  Pick<ComponentProps<'button'>, 'form' | 'aria-label'> & { reason: string; children: ReactNode };

export function RefusedButton({ reason, ...props }: Props) {
  return (
    <Tooltip label={reason} multiline maw={280} events={{ hover: true, focus: true, touch: true }}>
      <Button
        {...props}
        type="button"
        data-disabled
        aria-disabled
        onClick={(event) => event.preventDefault()}
      />
    </Tooltip>
  );
}
