// A button for something that a role may not allow: it then stays visible and says why it does nothing.
import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import type { RoleNeeds } from '../role-needs.ts';
import { RefusedButton } from './refused-button.tsx';
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
    <RefusedButton reason={reason} {...looks}>
      {children}
    </RefusedButton>
  );
}
