// What is refused in the files of an app, and the place that the message names.
import { expect, test } from 'vitest';
import { FileFaults } from './file-faults.js';
import { contentOf } from './read-files.js';
import type { File } from './write-files.js';

function faultsOf(text: string, path = 'app.yaml'): string[] {
  const files =
    path === 'app.yaml'
      ? [{ path, text }]
      : [
          { path: 'app.yaml', text: '' },
          { path, text },
        ];
  return messagesOf(files);
}

function messagesOf(files: File[]): string[] {
  try {
    contentOf(files);
    return [];
  } catch (error) {
    if (!(error instanceof FileFaults)) throw error;
    return error.message.split('\n').slice(1);
  }
}

test.each<[string, string, string[]]>([
  ['a misspelt setting', 'settings:\n  sign_upp: open\n', ['  app.yaml:2:3  settings.sign_upp is unknown']],
  [
    'two unknown keys',
    'settings:\n  mail:\n    a: 1\nnotes: {}\n',
    ['  app.yaml:3:5  settings.mail.a is unknown', '  app.yaml:4:1  notes is unknown'],
  ],
  [
    'a wrong value',
    'settings:\n  sign_up: opened\n',
    ['  app.yaml:2:12  settings.sign_up must be one of "open", "closed"'],
  ],
  [
    'a value inside a list',
    'settings:\n  allowed_origins:\n    - https://a.example.com\n    - a/b\n',
    [
      '  app.yaml:4:7  settings.allowed_origins.1 must be an origin such as https://app.example.com, https://*.example.com or capacitor://localhost',
    ],
  ],
  [
    'a secret',
    'settings:\n  provider_b:\n    private_key: abc\n',
    [
      `  app.yaml:3:18  settings.provider_b.private_key must be a reference such as \${NAME}: files hold no secrets`,
    ],
  ],
  [
    'a parameter of another type',
    'remote_config:\n  a: { type: number, value: x }\n',
    ['  app.yaml:2:29  remote_config.a.value must be a number'],
  ],
  [
    'a name that no collection can have',
    'collections:\n  1a: {}\n',
    ['  app.yaml:2:3  collections.1a has a key that is not allowed'],
  ],
  ['a key twice', 'webhooks: []\nwebhooks: []\n', ['  app.yaml:2:1  Map keys must be unique']],
  [
    'broken YAML',
    'settings: [\n',
    ['  app.yaml:2:1  Flow sequence in block collection must be sufficiently indented and end with a ]'],
  ],
  [
    'a tag',
    'settings: !!js/function x\n',
    ['  app.yaml:1:11  Unresolved tag: tag:yaml.org,2002:js/function'],
  ],
  [
    'an alias',
    'settings: &a {}\nwebhooks: [*a]\n',
    ['  app.yaml  has an alias (*name), which is not allowed'],
  ],
  ['a list', '- a\n', ['  app.yaml:1:1  the file must be an object']],
  ['more than 16 MiB', '#'.repeat(16 * 1_048_576 + 1), ['  app.yaml  is too large']],
  ['deep nesting', `settings: ${'['.repeat(50_000)}`, ['  app.yaml  is nested too deeply']],
])('%s is refused with its place', (_what, text, faults) => {
  expect(faultsOf(text)).toEqual(faults);
});

test.each<[string, string, string, string[]]>([
  [
    'without front matter',
    'mails/de/reset.md',
    'Hallo\n',
    [':1:1  must begin with its subject between two lines ---'],
  ],
  [
    'whose front matter does not end',
    'mails/de/reset.md',
    '---\nsubject: a\n',
    [':1:1  must begin with its subject between two lines ---'],
  ],
  [
    'with an unknown key',
    'mails/de/reset.md',
    '---\nsubject: a\nhtml: b\n---\nc\n',
    [':3:1  html is unknown'],
  ],
  ['without a subject', 'mails/de/reset.md', '---\n---\nc\n', [':2:1  subject is missing']],
  [
    'without a text',
    'mails/de/reset.md',
    '---\nsubject: a\n---\n',
    [':4:1  the text must have 1 to 2,000 characters'],
  ],
  [
    'with a button that it would not show',
    'mails/de/reset.md',
    '---\nsubject: a\nbutton: b\n---\nc\n',
    [':3:1  button is only for the mail sign_in, which has a button'],
  ],
  [
    'of an unknown purpose',
    'mails/de/hello.md',
    '---\nsubject: a\n---\nb\n',
    [
      '  is no mail: its path must be mails/<language>/<purpose>.md, with one of sign_in, reset, verification, email_change',
    ],
  ],
])('a mail %s is refused', (_what, path, text, faults) => {
  expect(faultsOf(text, path)).toEqual(faults.map((fault) => `  ${path}${fault}`));
});

test('of many faults the first fifty are named, in the order of their places', () => {
  const text = Array.from({ length: 60 }, (_, n) => `unknown_${n}: 1\n`).join('');
  const named = Array.from({ length: 50 }, (_, n) => `  app.yaml:${n + 1}:1  unknown_${n} is unknown`);
  expect(faultsOf(text)).toEqual(named);
});

test('faults of several files are named in the order of their paths', () => {
  const files = [
    { path: 'mails/de/reset.md', text: 'Hallo\n' },
    { path: 'app.yaml', text: 'notes: {}\n' },
    { path: 'mails/de-CH/reset.md', text: '---\nsubject: a\nhtml: b\n---\nc\n' },
  ];
  expect(messagesOf(files)).toEqual([
    '  app.yaml:1:1  notes is unknown',
    '  mails/de-CH/reset.md:3:1  html is unknown',
    '  mails/de/reset.md:1:1  must begin with its subject between two lines ---',
  ]);
});

test('faults of one line are named in the order of their columns', () => {
  expect(faultsOf('settings: { mails: 1, sign_up: opened }\n')).toEqual([
    '  app.yaml:1:13  settings.mails is unknown',
    '  app.yaml:1:32  settings.sign_up must be one of "open", "closed"',
  ]);
});

test('an app.yaml of exactly 16 MiB is read', () => {
  expect(faultsOf('#'.repeat(16 * 1_048_576))).toEqual([]);
});

test('empty groups, comments and line ends of other systems are read', () => {
  const files = [
    { path: 'app.yaml', text: '# ours\r\nsettings:\r\n  sign_up: closed # for now\r\ncollections: {}\r\n' },
    { path: 'mails/de-CH/reset.md', text: '---\r\nsubject: Code\r\n---\r\nGrüezi\r\n\r\nAde\r\n' },
  ];
  expect(contentOf(files)).toEqual({
    settings: { sign_up: 'closed' },
    collections: {},
    mails: { 'mails/de-CH/reset.md': { subject: 'Code', text: 'Grüezi\n\nAde' } },
  });
});
