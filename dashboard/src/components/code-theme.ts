// The colors of code, for both color schemes. CodeMirror writes a style element, which needs the nonce of the policy.
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { styleNonce } from '../page-config.ts';

const highlighting = HighlightStyle.define([
  { tag: tags.propertyName, color: 'light-dark(#1c4f91, #a5c8ff)' },
  { tag: tags.string, color: 'light-dark(#1e6b34, #9ad9a8)' },
  { tag: tags.number, color: 'light-dark(#8a4500, #f5bf85)' },
  { tag: [tags.bool, tags.null], color: 'light-dark(#7a2ea0, #dfb0f5)' },
]);

const colors = EditorView.theme({
  '&': {
    fontSize: '0.8125rem',
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--mantine-color-body)',
    border: '1px solid light-dark(#868e96, #696d74)',
    borderRadius: 'var(--mantine-radius-default)',
    overflow: 'hidden',
  },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    color: 'var(--mantine-color-dimmed)',
    backgroundColor: 'light-dark(#f8f9fa, #242424)',
    borderRight: '1px solid light-dark(#dee2e6, #424242)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'light-dark(#f1f3f580, #2e2e2e80)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'light-dark(#c8d9f5, #34507d)',
  },
  // No background: browsers copy it into a style attribute when the bracket is replaced, which the policy forbids.
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: '1px solid light-dark(#5c9a6a, #6fae7d)',
  },
  '.cm-panels': { backgroundColor: 'var(--mantine-color-default)', color: 'var(--mantine-color-text)' },
  '.cm-tooltip': {
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--mantine-color-body)',
    border: '1px solid light-dark(#ced4da, #424242)',
  },
  '.cm-insertedLine, .cm-changedLine': { backgroundColor: 'light-dark(#e3f4e6, #1f3525)' },
  '.cm-deletedChunk': { backgroundColor: 'light-dark(#fce8e8, #3d2325)' },
  '.cm-changedText': { background: 'light-dark(#b5e0bd, #2f5b3a)' },
  '.cm-deletedText, .cm-deletedChunk .cm-deletedText': { background: 'light-dark(#f9d5d5, #6e3135)' },
  '.cm-collapsedLines': {
    color: 'var(--mantine-color-dimmed)',
    background: 'light-dark(#f1f3f5, #2e2e2e)',
  },
});

export const codeTheme = [
  EditorView.cspNonce.of(styleNonce),
  EditorView.lineWrapping,
  colors,
  syntaxHighlighting(highlighting),
];
