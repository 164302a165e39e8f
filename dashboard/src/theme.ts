// Colors and defaults of the components. Text colors are darker than Mantine's own, for a contrast of at least 4.5 : 1.
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import type { MouseEvent } from 'react';

const slate: MantineColorsTuple = [
  '#eef3ff',
  '#dce4f5',
  '#b9c7e2',
  '#94a8d0',
  '#748dc0',
  '#5f7cb8',
  '#5474b4',
  '#44639f',
  '#39588f',
  '#2d4b81',
];

const monospace = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace';

export const theme = createTheme({
  primaryColor: 'slate',
  primaryShade: { light: 8, dark: 7 },
  colors: { slate },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: monospace,
  defaultRadius: 'md',
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.125rem' } } },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Badge: { defaultProps: { variant: 'light', tt: 'none' } },
    // Its placeholder is an element that a menu must not contain (ARIA).
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    MenuItem: { defaultProps: { onClickCapture: focusMenuButton } },
    Modal: {
      defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: { fontWeight: 600 } },
    },
    NavLink: { styles: { root: { borderRadius: 'var(--mantine-radius-default)' } } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    Table: { defaultProps: { verticalSpacing: 'sm', highlightOnHoverColor: 'var(--row-hover)' } },
  },
});

/** A dialog returns the focus to what had it before: the item would be gone by then. */
function focusMenuButton({ currentTarget }: MouseEvent<HTMLElement>): void {
  const button = currentTarget.closest('[role=menu]')?.getAttribute('aria-labelledby');
  if (button) document.getElementById(button)?.focus();
}

/** The red of buttons with white text. */
const red = {
  '--mantine-color-red-filled': '#c92a2a',
  '--mantine-color-red-filled-hover': '#b02525',
};

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-error': '#c92a2a',
    ...red,
    '--mantine-color-placeholder': '#6b7177',
    '--mantine-color-anchor': slate[8],
    '--mantine-color-green-light-color': '#1b6b2c',
    '--mantine-color-orange-light-color': '#9c3a07',
    '--mantine-color-red-light-color': '#b02525',
    '--mantine-color-blue-light-color': '#125a9c',
    '--mantine-color-gray-light-color': '#495057',
  },
  dark: {
    '--mantine-color-dimmed': '#a6a7ab',
    '--mantine-color-error': '#ff8787',
    ...red,
    // Mantine's own is darker than the page.
    '--mantine-color-gray-light': '#3b3d42',
    '--mantine-color-gray-light-hover': '#45474d',
    '--mantine-color-gray-light-color': '#d0d1d4',
    '--mantine-color-placeholder': '#909296',
    '--mantine-color-anchor': slate[2],
  },
});
