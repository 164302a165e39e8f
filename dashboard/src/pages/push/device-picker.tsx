// Choosing devices as the recipients of a message: those of one person after another. Ids can be pasted as well: a device
// without a user is in no list.
import { limits, type PushDevice } from '@foyer/contract';
import { Checkbox, Pill, Stack, TagsInput, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { deviceName } from '../../components/device-name.ts';
import { PersonPicker } from '../../components/person-picker.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';

type Props = { value: string[]; onChange: (ids: string[]) => void; error?: ReactNode };

export function DevicePicker({ value, onChange, error }: Props) {
  const [uid, setUid] = useState<string | undefined>();
  /** Of the devices that were chosen here; others are shown by their ids. */
  const [names, setNames] = useState<Record<string, string>>({});

  function toggle(device: PushDevice, isChosen: boolean) {
    setNames({ ...names, [device.id]: deviceName(device) });
    onChange(isChosen ? [...value, device.id] : value.filter((id) => id !== device.id));
  }

  return (
    <Stack gap="sm">
      <PersonPicker label="Devices of" value={uid} onChange={setUid} />
      {uid !== undefined && <DevicesOf uid={uid} chosen={value} onToggle={toggle} key={uid} />}
      <TagsInput
        label="Chosen devices"
        description={`Up to ${limits.pushTargets.toLocaleString()}, also by their ids, which can be pasted here. Unknown ones are ignored.`}
        error={error}
        value={value}
        onChange={onChange}
        maxTags={limits.pushTargets}
        splitChars={[' ', ',', ';', '\n']}
        acceptValueOnBlur
        renderPill={({ option, onRemove }) => {
          const id = String(option.value);
          const name = names[id] ?? id;
          return (
            <Pill
              withRemoveButton
              {...(onRemove && { onRemove })}
              title={id}
              removeButtonProps={{ 'aria-label': `Remove ${name}`, 'aria-hidden': false, tabIndex: 0 }}
            >
              {name}
            </Pill>
          );
        }}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear chosen devices' }}
      />
    </Stack>
  );
}

type DevicesProps = {
  uid: string;
  chosen: string[];
  onToggle: (device: PushDevice, isChosen: boolean) => void;
};

function DevicesOf({ uid, chosen, onToggle }: DevicesProps) {
  const { app, api } = useApp();
  const query = useQuery({
    queryKey: [app.id, 'user', uid, 'push-devices', 'picker'],
    queryFn: ({ signal }) => api.users.devices(uid, { limit: 100 }, { signal }),
  });
  return (
    <QueryView query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <Text size="sm">This person has no device that receives messages.</Text>
        ) : (
          <Stack gap="xs" role="group" aria-label="Devices of this person">
            {items.map((device) => (
              <Checkbox
                key={device.id}
                label={deviceName(device)}
                description={
                  <>
                    Last registered <Time at={device.last_registered_at} />
                  </>
                }
                checked={chosen.includes(device.id)}
                onChange={({ currentTarget }) => onToggle(device, currentTarget.checked)}
              />
            ))}
          </Stack>
        )
      }
    </QueryView>
  );
}
