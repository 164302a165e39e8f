// The choice of scopes: presets, and each scope in its group.
import { type SecretKeyScope, secretKeyScopes } from '@foyer/contract';
import { Button, Checkbox, Fieldset, Group, Input, SimpleGrid, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { scopeGroups, scopesIn } from '../../components/scope-names.ts';

const presets: { name: string; scopes: readonly SecretKeyScope[] }[] = [
  { name: 'Read only', scopes: secretKeyScopes.filter((scope) => scope.endsWith(':read')) },
  { name: 'Verify tokens', scopes: ['tokens:verify'] },
  { name: 'Send push messages', scopes: ['push:read', 'push:send'] },
  { name: 'Everything', scopes: secretKeyScopes },
];

type Props = {
  value: readonly SecretKeyScope[];
  onChange: (scopes: SecretKeyScope[]) => void;
  error?: ReactNode;
};

export function ScopeChoice({ value, onChange, error }: Props) {
  function toggle(scope: SecretKeyScope, checked: boolean) {
    onChange(checked ? [...value, scope] : value.filter((other) => other !== scope));
  }
  return (
    <Input.Wrapper
      label="Scopes"
      labelElement="div"
      description="What calls with the key may do. Choose as few as possible."
      error={error}
    >
      <Stack gap="sm" mt="xs">
        <Group gap="xs">
          {presets.map(({ name, scopes }) => (
            <Button key={name} variant="default" size="xs" onClick={() => onChange([...scopes])}>
              {name}
            </Button>
          ))}
          <Button variant="subtle" size="xs" disabled={value.length === 0} onClick={() => onChange([])}>
            None
          </Button>
        </Group>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {scopeGroups.map((group) => (
            <Fieldset key={group.name} legend={group.name} p="sm">
              <Stack gap="xs">
                {scopesIn(group).map(([scope, { allows, amountsTo }]) => (
                  <Checkbox
                    key={scope}
                    label={allows}
                    description={
                      <>
                        {scope}: {amountsTo}
                      </>
                    }
                    checked={value.includes(scope)}
                    onChange={(event) => toggle(scope, event.currentTarget.checked)}
                  />
                ))}
              </Stack>
            </Fieldset>
          ))}
        </SimpleGrid>
      </Stack>
    </Input.Wrapper>
  );
}
