// A button for something that a role may not allow: it then stays visible and says why it does nothing.

import { type Role, roleOfScope, type SecretKeyScope } from '@foyer/contract';
import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { roleReason, useApp } from '../current-app.tsx';

export type RoleNeeds = { scope: SecretKeyScope } | { role: Role };

type Props = ButtonProps &
  Pick<ComponentProps<'button'>, 'onClick' | 'type' | 'form' | 'aria-label'> & {
    needs: RoleNeeds;
    children: ReactNode;
  };

export function RoleButton({ needs, children, ...props }: Props) {
  const { app, can, is } = useApp();
  if ('scope' in needs ? can(needs.scope) : is(needs.role)) return <Button {...props}>{children}</Button>;
  const role = 'scope' in needs ? roleOfScope(needs.scope) : needs.role;
  const { onClick: _, type: _type, ...looks } = props;
  return (
    <Tooltip
      label={roleReason(app, role)}
      multiline
      maw={280}
      events={{ hover: true, focus: true, touch: true }}
    >
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
