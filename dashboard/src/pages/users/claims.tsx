// The custom claims of a user, as JSON.
import type { AdminUser } from '@foyer/contract';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api.ts';
import { formatJson, JsonEditor, parseJson } from '../../components/json-editor.tsx';
import { notifySaved } from '../../components/notify.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { RoleButton } from '../../components/role-button.tsx';
import { useApp } from '../../current-app.tsx';
import { storeUser } from './user-query.ts';

const maxBytes = 1_000;

export function Claims({ user }: { user: AdminUser }) {
  const current = useApp();
  const stored = formatJson(user.claims);
  const [text, setText] = useState(stored);
  const [showProblem, setShowProblem] = useState(false);
  const parsed = parseJson(text);
  const problem = parsed.problem ?? (isObject(parsed.value) ? null : 'The claims must be an object: { … }.');
  const bytes = problem ? null : new TextEncoder().encode(JSON.stringify(parsed.value)).length;

  const saving = useMutation({
    mutationFn: (claims: Record<string, unknown>) =>
      dataOf(current.api.users.setClaims({ params: { uid: user.uid }, body: { claims } })),
    onSuccess: (saved) => {
      storeUser(current, saved);
      setText(formatJson(saved.claims));
      notifySaved('The claims are saved.');
    },
  });

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setShowProblem(true);
        if (!problem) saving.mutate(parsed.value as Record<string, unknown>);
      }}
    >
      <Stack maw={720}>
        <JsonEditor
          label="Custom claims"
          description="Access tokens contain these claims from the next refresh or sign-in on. They replace the whole set."
          value={text}
          onChange={setText}
          readOnly={!current.can('users:write')}
          error={showProblem && problem}
        />
        {bytes !== null && (
          <Text size="sm" c={bytes > maxBytes ? 'var(--mantine-color-error)' : 'dimmed'}>
            {bytes.toLocaleString()} of {maxBytes.toLocaleString()} bytes
          </Text>
        )}
        {saving.error && <ProblemAlert error={saving.error} />}
        <Group>
          <RoleButton
            needs={{ scope: 'users:write' }}
            type="submit"
            loading={saving.isPending}
            disabled={text === stored}
          >
            Save
          </RoleButton>
          {text !== stored && (
            <Button variant="subtle" onClick={() => setText(stored)}>
              Discard changes
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
