// What each role allows, from the contract.
import { type Role, roleOfScope } from '@foyer/contract';
import { Accordion, Badge, Table, Text } from '@mantine/core';
import { scopeGroups, scopesIn } from '../../components/scope-names.ts';

type Row = { allows: string; from: Role };

const groups: { name: string; rows: Row[] }[] = [
  ...scopeGroups.map((group) => ({
    name: group.name,
    rows: scopesIn(group).map(([scope, allows]) => ({ allows, from: roleOfScope(scope) })),
  })),
  {
    name: 'Team and keys',
    rows: [
      { allows: 'See the members', from: 'viewer' },
      { allows: 'Create and revoke secret keys', from: 'admin' },
      { allows: 'Invite, change and remove members', from: 'owner' },
      { allows: 'Rename, disable and enable the app', from: 'owner' },
    ],
  },
];

export function RoleTable() {
  return (
    <Accordion variant="contained">
      <Accordion.Item value="roles">
        <Accordion.Control>What each role may do</Accordion.Control>
        <Accordion.Panel>
          <Text size="sm" mb="sm">
            The roles are viewer, editor, admin and owner. Each may also do what the roles before it may.
          </Text>
          <Table verticalSpacing={6} layout="fixed">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Action</Table.Th>
                <Table.Th w={120}>Lowest role</Table.Th>
              </Table.Tr>
            </Table.Thead>
            {groups.map(({ name, rows }) => (
              <Table.Tbody key={name}>
                <Table.Tr>
                  <Table.Th colSpan={2} scope="rowgroup" c="dimmed">
                    {name}
                  </Table.Th>
                </Table.Tr>
                {rows.map(({ allows, from }) => (
                  <Table.Tr key={allows}>
                    <Table.Td>{allows}</Table.Td>
                    <Table.Td>
                      <Badge>{from}</Badge>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            ))}
          </Table>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
