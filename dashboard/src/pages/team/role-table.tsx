// What each role allows, from the contract.
import { roles } from '@foyer/contract';
import { Accordion, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { CheckIcon, MinusIcon } from 'lucide-react';
import { roleGroups } from './role-rows.ts';

export function RoleTable() {
  return (
    <Accordion variant="contained">
      <Accordion.Item value="roles">
        <Accordion.Control>What each role may do</Accordion.Control>
        <Accordion.Panel>
          <Text size="sm" mb="sm">
            Support helps users to sign in, editors change content, admins do both and manage the app, and
            owners also manage the team.
          </Text>
          <RoleList />
          <Table.ScrollContainer
            visibleFrom="md"
            minWidth={740}
            scrollAreaProps={{ tabIndex: 0, 'aria-label': 'Roles' }}
          >
            <Table verticalSpacing={6} layout="fixed">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Action</Table.Th>
                  {roles.map((role) => (
                    <Table.Th key={role} w={88} ta="center">
                      {role}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              {roleGroups.map(({ name, rows }) => (
                <Table.Tbody key={name}>
                  <Table.Tr>
                    <Table.Th colSpan={roles.length + 1} scope="rowgroup" c="dimmed">
                      {name}
                    </Table.Th>
                  </Table.Tr>
                  {rows.map(({ allows, may }) => (
                    <Table.Tr key={allows}>
                      <Table.Td>{allows}</Table.Td>
                      {roles.map((role) => (
                        <Table.Td key={role} ta="center">
                          <Answer yes={may.includes(role)} />
                        </Table.Td>
                      ))}
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              ))}
            </Table>
          </Table.ScrollContainer>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

/** The same for a narrow window, where the columns of the table would be out of sight. */
function RoleList() {
  return (
    <Stack gap="sm" hiddenFrom="md">
      {roleGroups.map(({ name, rows }) => (
        <div key={name}>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          {rows.map(({ allows, may }) => (
            <Text size="sm" key={allows}>
              {allows}: {may.join(', ')}
            </Text>
          ))}
        </div>
      ))}
    </Stack>
  );
}

function Answer({ yes }: { yes: boolean }) {
  return (
    <>
      {yes ? <CheckIcon size={16} /> : <MinusIcon size={16} color="var(--mantine-color-dimmed)" />}
      <VisuallyHidden>{yes ? 'Yes' : 'No'}</VisuallyHidden>
    </>
  );
}
