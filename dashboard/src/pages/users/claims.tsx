// The custom claims of a user, as JSON.
import { type AdminUser, limits } from '@foyer/contract';
import { Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { rebased } from '../../components/form-values.ts';
import { formatJson, JsonEditor, parseObject } from '../../components/json-editor.tsx';
import { JsonText } from '../../components/json-text.tsx';
import { notifySaved } from '../../components/notify.ts';
import { recordNumberFault } from '../../components/number-faults.ts';
import { PageForm } from '../../components/page-form.tsx';
import { RoleNote } from '../../components/role-note.tsx';
import { useUnsavedChanges } from '../../components/unsaved-changes.tsx';
import { useApp } from '../../current-app.tsx';
import { storeUser } from './user-query.ts';

/** The service would round a larger integer without a word. */
const claimRules = { numberFault: recordNumberFault };

type Claims = Record<string, unknown>;

const needs = { scope: 'users:write' } as const;

export function CustomClaims({ user }: { user: AdminUser }) {
  const { can } = useApp();
  if (can(needs.scope)) return <ClaimsForm user={user} />;
  return (
    <Stack maw={720}>
      {Object.keys(user.claims).length === 0 ? (
        <Text size="sm">This user has no custom claims.</Text>
      ) : (
        <JsonText value={user.claims} label="Custom claims" />
      )}
      <RoleNote needs={needs} />
    </Stack>
  );
}

function ClaimsForm({ user }: { user: AdminUser }) {
  const current = useApp();
  // What the text was before the member changed it.
  const [base, setBase] = useState<Claims>(user.claims);
  const [text, setText] = useState(() => formatJson(user.claims));
  const [showProblem, setShowProblem] = useState(false);
  const { value, problem } = parseObject(text, claimRules);
  const bytes = value && new TextEncoder().encode(JSON.stringify(value)).length;
  const dirty = text !== formatJson(base);
  useUnsavedChanges(dirty);
  const [seen, setSeen] = useState(user.claims);
  // Somebody has changed the claims: a text that the member has not touched follows.
  if (user.claims !== seen) {
    setSeen(user.claims);
    if (!dirty) restart(user.claims);
  }

  const saving = useMutation({
    mutationFn: ({ typed }: { typed: Claims; text: string }) => {
      // The call replaces the whole set: what others have changed in it meanwhile stays.
      const claims = rebased(base, typed, user.claims);
      return current.api.users.setClaims(user.uid, claims);
    },
    onSuccess: (saved, sent) => {
      storeUser(current, saved);
      if (text === sent.text) restart(saved.claims);
      else setBase(sent.typed);
      notifySaved('The claims are saved.');
    },
  });

  function restart(claims: Claims) {
    setBase(claims);
    setText(formatJson(claims));
  }

  return (
    <PageForm
      onSubmit={(event) => {
        event?.preventDefault();
        setShowProblem(true);
        if (value) saving.mutate({ typed: value, text });
      }}
      saving={saving}
      dirty={dirty}
      onDiscard={() => {
        restart(user.claims);
        saving.reset();
      }}
      maxWidth={720}
    >
      <JsonEditor
        label="Custom claims"
        description="Access tokens contain these claims from the next refresh or sign-in on."
        value={text}
        onChange={setText}
        rules={claimRules}
        error={showProblem && problem}
      />
      {bytes !== null && (
        <Text size="sm" c={bytes > limits.maxClaimsBytes ? 'var(--mantine-color-error)' : 'dimmed'}>
          {bytes.toLocaleString()} of {limits.maxClaimsBytes.toLocaleString()} bytes
        </Text>
      )}
    </PageForm>
  );
}
