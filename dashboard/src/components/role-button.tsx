// A button for something that a role may not allow: it then stays visible and says why it does nothing.
import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import type { RoleNeeds } from '../current-app.tsx';
import { useRoleReason } from './role-reason.ts';

type Props = ButtonProps &
  Pick<ComponentProps<'button'>, 'onClick' | 'type' | 'form' | 'aria-label'> & {
    needs: RoleNeeds;
    children: ReactNode;
  };

export function RoleButton({ needs, children, ...props }: Props) {
  const reason = useRoleReason(needs);
  if (reason === null) return <Button {...props}>{children}</Button>;
  const { onClick: _, type: _type, ...looks } = props;
  return (
    <Tooltip label={reason} multiline maw={280} events={{ hover: true, focus: true, touch: true }}>
      <Button
        {...looks}
        type="button"
        data-disabled
        aria-disabled
        onClick={(event) => event.preventDefault()}
      >
        {children}
      </Button>
    </Tooltip>
  );
}
