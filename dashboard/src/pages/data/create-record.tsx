// The form that creates a record, with an id of its own choice or a generated one.
import { TextInput } from '@mantine/core';
import { ApiProblem, problemOf } from '../../api-problem.ts';
import { useApiForm } from '../../components/api-form.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { JsonEditor, parseObject } from '../../components/json-editor.tsx';
import { notifySaved } from '../../components/notify.ts';
import type { CurrentApp } from '../../current-app.tsx';
import { recordRules, refreshRecords } from './collection-words.ts';

type Props = { current: CurrentApp; collection: string; onClose: () => void };

const idTaken = new ApiProblem('data/precondition-failed', 'A record with this id exists.', { status: 412 });

export function CreateRecord({ current, collection, onClose }: Props) {
  const { data } = current.api;
  const { form, ...submit } = useApiForm({
    initialValues: { id: '', text: '{\n  \n}' },
    send: ({ id, text }) => {
      const { value: fields, problem } = parseObject(text, recordRules);
      if (!fields) throw new Error(problem);
      const body = { fields };
      return id === ''
        ? data.create(collection, body)
        : data.replace(collection, id, body, { ifNoneMatch: '*' }).catch((error: unknown) => {
            throw problemOf(error).code === 'data/precondition-failed' ? idTaken : error;
          });
    },
    onSaved: (record) => {
      notifySaved(`${record.id} is created.`);
      onClose();
      void refreshRecords(current, collection);
    },
  });
  const { problem } = parseObject(form.values.text, recordRules);
  return (
    <DialogForm {...submit} submitLabel="Create record" disabled={problem !== null} onClose={onClose}>
      <TextInput
        label="Id"
        description="Optional: a generated one by default."
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('id')}
      />
      <JsonEditor
        label="Fields"
        value={form.values.text}
        onChange={(text) => form.setFieldValue('text', text)}
        rules={recordRules}
        error={problem}
      />
    </DialogForm>
  );
}
