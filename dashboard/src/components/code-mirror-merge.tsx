// The view behind `CodeDifference`: one column, so that it also fits a phone.
import { json } from '@codemirror/lang-json';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { codeTheme } from './code-theme.ts';

export type TextDifference = { label: string; before: string; after: string };

export default function CodeMirrorMerge({ label, before, after }: TextDifference) {
  const parent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = new EditorView({
      parent: parent.current as HTMLDivElement,
      state: EditorState.create({
        doc: after,
        extensions: [
          codeTheme,
          json(),
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 3 } }),
          EditorView.theme({ '.cm-scroller': { maxHeight: '40vh', overflow: 'auto' } }),
        ],
      }),
    });
    return () => view.destroy();
  }, [label, before, after]);
  return <div ref={parent} />;
}
