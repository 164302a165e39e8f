// The button that saves a list with its current filter as a file: it reads the list page by page, and can be stopped.
import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { DownloadIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { isTransient, problemOf } from '../api-problem.ts';
import { type CsvValue, csvLine, csvStart } from './csv.ts';
import { downloadFile } from './download.ts';
import { ErrorState } from './error-state.tsx';
import { openDialog } from './open-dialog.ts';
import type { Page } from './paged-list.tsx';

export type ReadPage<Item> = (
  page: { cursor?: string; limit: number },
  options: { signal: AbortSignal },
) => Promise<Page<Item>>;

export type CsvExport<Item> = {
  /** Without the ending. */
  fileName: string;
  readPage: ReadPage<Item>;
  /** About how many items there are, if that is known. */
  count?: number | undefined;
};

type Column<Item> = { title: string; text: (item: Item) => CsvValue };

type Props<Item> = CsvExport<Item> & {
  columns: readonly Column<Item>[];
  /** The rows to save in place of the whole list; none is the list. */
  selected: readonly Item[];
};

const pageItems = 100;
const pauseSeconds = 2;

export function CsvButton<Item>(props: Props<Item>) {
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<DownloadIcon size={16} />}
      onClick={() => openDialog('Export as CSV', (close) => <Exporting {...props} onClose={close} />)}
    >
      {props.selected.length > 0
        ? `CSV: ${props.selected.length.toLocaleString()} ${props.selected.length === 1 ? 'row' : 'rows'}`
        : 'CSV'}
    </Button>
  );
}

function Exporting<Item>({ onClose, ...props }: Props<Item> & { onClose: () => void }) {
  const [written, setWritten] = useState(0);
  const [failure, setFailure] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const [done, setDone] = useState(false);
  const { fileName } = props;
  const count = props.selected.length || props.count;

  // biome-ignore lint/correctness/useExhaustiveDependencies: one export for each attempt; the dialog keeps its list.
  useEffect(() => {
    const stop = new AbortController();
    setFailure(null);
    collect(props, setWritten, stop.signal).then(
      (parts) => {
        downloadFile(`${fileName}.csv`, 'text/csv;charset=utf-8', parts);
        setDone(true);
      },
      (problem) => !stop.signal.aborted && setFailure(problem),
    );
    return () => stop.abort();
  }, [attempt]);

  return (
    <Stack>
      {failure !== null ? (
        <ErrorState error={failure} onRetry={() => setAttempt(attempt + 1)} />
      ) : (
        <Progress
          value={done ? 100 : count ? Math.min(99, (100 * written) / count) : 50}
          animated={!done}
          aria-label="Progress of the export"
        />
      )}
      <Text size="sm" role="status">
        {done
          ? `${written.toLocaleString()} rows are in ${fileName}.csv.`
          : `${written.toLocaleString()} ${count ? `of about ${count.toLocaleString()} ` : ''}rows so far.`}
      </Text>
      <Text size="sm" c="dimmed">
        Values that a spreadsheet would take for a formula begin with an apostrophe. Times are in UTC.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {done ? 'Close' : 'Cancel'}
        </Button>
      </Group>
    </Stack>
  );
}

async function collect<Item>(
  { columns, readPage, selected }: Props<Item>,
  report: (written: number) => void,
  signal: AbortSignal,
): Promise<string[]> {
  const linesOf = (items: readonly Item[]) =>
    items.map((item) => csvLine(columns.map(({ text }) => text(item)))).join('');
  const parts = [csvStart, csvLine(columns.map(({ title }) => title))];
  if (selected.length > 0) {
    report(selected.length);
    return [...parts, linesOf(selected)];
  }
  let written = 0;
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await patiently(
      () => readPage({ limit: pageItems, ...(cursor !== null && { cursor }) }, { signal }),
      signal,
    );
    parts.push(linesOf(page.items));
    written += page.items.length;
    report(written);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return parts;
}

/** A long export outlasts a limit of calls, and a moment without the service. */
async function patiently<Result>(read: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await read();
    } catch (error) {
      const problem = problemOf(error);
      if (signal.aborted || !isTransient(problem) || attempts >= 5) throw error;
      const seconds = Math.min(problem.retryAfterSeconds ?? pauseSeconds, 60);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
      signal.throwIfAborted();
    }
  }
}
