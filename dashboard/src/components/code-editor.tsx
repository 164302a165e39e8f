// CodeMirror with what a JSON field needs. Loaded lazily by `json-editor.tsx`. The Tab key moves the focus, as in every
// other field.
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { searchKeymap } from '@codemirror/search';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { codeTheme } from './code-theme.ts';
import { type JsonRules, jsonFault } from './json-fault.ts';

export type EditorProps = {
  label: string;
  value: string;
  onChange: ((text: string) => void) | undefined;
  readOnly: boolean;
  rules: JsonRules;
  minLines: number;
  /** The id of the message about the text; undefined without one. */
  describedBy: string | undefined;
};

const lintMilliseconds = 150;

export default function CodeEditor(props: EditorProps) {
  const { label, describedBy, value, readOnly, rules, minLines } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(props);
  latest.current = props;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is created once; changes follow below.
  useEffect(() => {
    const editor = new EditorView({
      parent: host.current as HTMLDivElement,
      state: EditorState.create({
        doc: value,
        extensions: [
          base,
          linter((editor) => faultsIn(editor.state.doc.toString(), rules), { delay: lintMilliseconds }),
          heightOf(minLines),
          attributes.of(attributesOf(label, describedBy, readOnly)),
          EditorView.updateListener.of((update) => {
            const text = update.state.doc.toString();
            if (update.docChanged && text !== latest.current.value) latest.current.onChange?.(text);
          }),
        ],
      }),
    });
    view.current = editor;
    // Escape closes the search of the editor, whose input is made later, and not the dialog around both.
    editor.dom.addEventListener('focusin', ({ target }) => {
      (target as HTMLElement).setAttribute('data-mantine-stop-propagation', 'true');
    });
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    view.current?.dispatch({
      effects: attributes.reconfigure(attributesOf(label, describedBy, readOnly)),
    });
  }, [label, describedBy, readOnly]);

  useEffect(() => {
    const state = view.current?.state;
    if (!state || state.doc.toString() === value) return;
    view.current?.dispatch({ changes: { from: 0, to: state.doc.length, insert: value } });
  }, [value]);

  return <div ref={host} />;
}

const attributes = new Compartment();

function attributesOf(label: string, describedBy: string | undefined, readOnly: boolean) {
  return [
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({
      'aria-label': label,
      tabindex: '0',
      ...(describedBy && { 'aria-describedby': describedBy, 'aria-invalid': 'true' }),
    }),
  ];
}

function faultsIn(text: string, rules: JsonRules) {
  const fault = text === '' ? null : jsonFault(text, rules);
  return fault ? [{ ...fault, severity: 'error' as const }] : [];
}

const base = [
  codeTheme,
  lineNumbers(),
  foldGutter(),
  history(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  json(),
  lintGutter(),
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    ...lintKeymap,
  ]),
];

function heightOf(minLines: number) {
  return EditorView.theme({
    '.cm-content': { minHeight: `${minLines * 20}px` },
    '.cm-scroller': { maxHeight: '55vh', overflow: 'auto' },
  });
}
