// An input for JSON: checked while typing, with the position of the first fault. The editor is loaded when it is first
// shown; where it cannot be loaded, a plain text area takes its place.
import { Button, Group, Input, Skeleton, Textarea } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useId } from 'react';
import type { EditorProps } from './code-editor.tsx';
import { isObject } from './form-values.ts';
import { describeFault, type JsonRules, jsonFault } from './json-fault.ts';

const CodeEditor = lazy(() => import('./code-editor.tsx').catch(() => ({ default: PlainEditor })));

type Props = {
  label: string;
  description?: ReactNode;
  /** A fault that the syntax does not show, such as a value of the wrong type. */
  error?: ReactNode;
  value: string;
  onChange?: (text: string) => void;
  readOnly?: boolean;
  rules?: JsonRules;
  minLines?: number;
};

export function JsonEditor({
  label,
  description,
  error,
  value,
  onChange,
  readOnly = false,
  rules = {},
  minLines = 8,
}: Props) {
  const id = useId();
  const fault = jsonFault(value, rules);
  const message = error || (fault && value !== '' && describeFault(value, fault));
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      description={description}
      errorProps={{ id, role: 'status' }}
      error={message}
    >
      <Suspense fallback={<Skeleton height={minLines * 20 + 16} mt={4} />}>
        <div style={{ marginTop: 4, marginBottom: 4 }}>
          <CodeEditor
            label={label}
            value={value}
            onChange={onChange}
            readOnly={readOnly}
            rules={rules}
            minLines={minLines}
            describedBy={message ? id : undefined}
          />
        </div>
      </Suspense>
      {!readOnly && onChange && (
        <Group justify="flex-end">
          <Button
            variant="subtle"
            size="compact-xs"
            disabled={fault !== null}
            onClick={() => onChange(formatJson(JSON.parse(value)))}
          >
            Format
          </Button>
        </Group>
      )}
    </Input.Wrapper>
  );
}

function PlainEditor({ label, value, onChange, readOnly, minLines, describedBy }: EditorProps) {
  return (
    <Textarea
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={describedBy !== undefined}
      value={value}
      readOnly={readOnly}
      onChange={(event) => onChange?.(event.currentTarget.value)}
      autosize
      minRows={minLines}
      maxRows={20}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      spellCheck={false}
    />
  );
}

type Parsed = { value: Record<string, unknown>; problem: null } | { value: null; problem: string };

/** The object, or why the text is none, in a sentence. */
export function parseObject(text: string, rules: JsonRules): Parsed {
  const fault = jsonFault(text, rules);
  if (fault) return { value: null, problem: `Not valid JSON. ${describeFault(text, fault)}` };
  const value: unknown = JSON.parse(text);
  return isObject(value) ? { value, problem: null } : { value: null, problem: 'Enter an object: { … }.' };
}

export function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
