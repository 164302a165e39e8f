// A refusal in the catalogue's words, with the fields that are shown nowhere else.
import { Alert, List, Text } from '@mantine/core';
import { CircleAlertIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { problemOf } from '../api-problem.ts';
import { durationText } from './quantities.ts';

type Props = {
  error: unknown;
  /** The fields whose messages are shown beside their inputs. */
  shownFields?: readonly string[];
  children?: ReactNode;
};

export function ProblemAlert({ error, shownFields = [], children }: Props) {
  const problem = problemOf(error);
  const fields = Object.entries(problem.fields).filter(([field]) => !shownFields.includes(field));
  return (
    <Alert color="red" icon={<CircleAlertIcon size={20} />} role="alert" data-code={problem.code}>
      <Text size="sm">{problem.message}</Text>
      {fields.length > 0 && (
        <List size="sm" mt="xs">
          {fields.map(([field, messages]) => (
            <List.Item key={field}>
              <b>{field}</b> {messages.join(', ')}
            </List.Item>
          ))}
        </List>
      )}
      {problem.retryAfterSeconds !== undefined && (
        <Text size="sm" mt="xs">
          Try again in {durationText(problem.retryAfterSeconds)}.
        </Text>
      )}
      {problem.status >= 500 && problem.requestId && (
        <Text size="xs" c="dimmed" mt="xs">
          Request {problem.requestId}
        </Text>
      )}
      {children}
    </Alert>
  );
}
