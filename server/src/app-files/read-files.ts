// Reads the files of an app: every fault of every file at once, before anything is changed.
import { hasButton, Language, MailTextInput, mailPurposes, onlyWithButton } from '@foyer/contract';
import * as z from 'zod';
import { faultsOf } from '../remote-config/config-rules.js';
import { type AppContent, AppFile, appFilePath, type MailFiles } from './app-file.js';
import { type Fault, FileFaults } from './file-faults.js';
import { type Located, readYaml } from './read-yaml.js';
import { type File, withUnixLines } from './write-files.js';

const { text: _, ...frontMatter } = MailTextInput.shape;
const FrontMatter = z.strictObject(frontMatter);
const mailPathPattern = /^mails\/([^/]+)\/([^/]+)\.md$/;

export function contentOf(files: File[]): AppContent {
  const faults: Fault[] = [];
  const collect = <Value>(read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof FileFaults)) throw error;
      faults.push(...error.faults);
      return undefined;
    }
  };
  const appFile = files.find(({ path }) => path === appFilePath);
  if (!appFile) faults.push({ path: appFilePath, message: 'is missing' });
  const content = appFile && collect(() => readAppFile(withUnixLines(appFile.text)));
  const mails: MailFiles = {};
  for (const { path, text } of files) {
    if (path === appFilePath) continue;
    const mail = collect(() => readMail(path, withUnixLines(text)));
    if (mail) mails[path] = mail;
  }
  if (!content || faults.length > 0) throw new FileFaults(faults);
  return { ...content, mails };
}

/** Whether this version has such a mail. */
export function isMailPath(path: string): boolean {
  const [, language] = mailPathPattern.exec(path) ?? [];
  return (
    (mailPurposes as readonly string[]).includes(purposeIn(path)) && Language.safeParse(language).success
  );
}

function purposeIn(path: string): string {
  return mailPathPattern.exec(path)?.[2] ?? '';
}

function readAppFile(text: string): AppFile {
  const located = readYaml(AppFile, text, appFilePath);
  requireValidParameters(located);
  return located.value;
}

/** The rules of values that the shape of a parameter does not express. */
function requireValidParameters({ value, placeOf }: Located<AppFile>): void {
  const faults = Object.entries(faultsOf(value.remote_config ?? {})).map(([name, sentences]) => {
    const keys = name.split('.').slice(1);
    const place = placeOf(['remote_config', ...keys]);
    return { path: appFilePath, place, message: `${['remote_config', ...keys].join('.')} ${sentences[0]}` };
  });
  if (faults.length > 0) throw new FileFaults(faults);
}

function readMail(path: string, text: string): z.infer<typeof MailTextInput> {
  if (!isMailPath(path)) {
    const message = `is no mail: its path must be mails/<language>/<purpose>.md, with one of ${mailPurposes.join(', ')}`;
    throw new FileFaults([{ path, message }]);
  }
  const end = text.indexOf('\n---\n', 3);
  if (!text.startsWith('---\n') || end === -1) {
    const message = 'must begin with its subject between two lines ---';
    throw new FileFaults([{ path, place: { line: 1, column: 1 }, message }]);
  }
  const { value: front, placeOf } = readYaml(FrontMatter, text.slice(4, end + 1), path, 2);
  if (front.button !== undefined && !hasButton(purposeIn(path))) {
    throw new FileFaults([{ path, place: placeOf(['button'], 'key'), message: `button ${onlyWithButton}` }]);
  }
  const body = text.slice(end + '\n---\n'.length).replace(/\n$/, '');
  const result = MailTextInput.shape.text.safeParse(body);
  if (result.success) return { ...front, text: result.data };
  const line = text.slice(0, end + 5).split('\n').length;
  throw new FileFaults([
    { path, place: { line, column: 1 }, message: 'the text must have 1 to 2,000 characters' },
  ]);
}
