// How the pages at /docs look, light and dark, and the script that starts the viewer with it.
const light = {
  text: '#1f2933',
  faint: '#5b6673',
  page: '#ffffff',
  side: '#f6f7f9',
  line: '#d5dae0',
  link: '#1a5fb4',
  nested: '#f6f7f9',
};

const dark = {
  text: '#e4e7eb',
  faint: '#a3adb8',
  page: '#15191e',
  side: '#1b2027',
  line: '#39424d',
  link: '#7fb4ff',
  nested: '#1b2027',
};

type Colors = typeof light;

export const pageStyle = `
:root { ${variables(light)} color-scheme: light dark }
@media (prefers-color-scheme: dark) { :root { ${variables(dark)} } }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
header { display: flex; flex-wrap: wrap; gap: .25rem 2rem; align-items: baseline; padding: .75rem 1.25rem; border-bottom: 1px solid var(--line) }
header h1 { margin: 0; font-size: 1.25rem }
nav a { margin-right: 1.25rem; color: var(--link) }
nav a[aria-current] { color: inherit; font-weight: 600; text-decoration: none }
[role=status], noscript p { padding: 1rem 1.25rem }
main td code, main th code { word-break: normal !important; overflow-wrap: break-word !important }
main .redoc-json .token.string { white-space: pre-wrap; overflow-wrap: anywhere }
@media (prefers-color-scheme: dark) {
  main table tr { background: var(--page) !important }
  main table tr:nth-child(2n) { background: var(--side) !important }
  main table td, main table th { border-color: var(--line) !important }
  main h5, main h5 > span { color: var(--faint) !important; border-color: var(--line) !important }
  main h5 polygon { fill: var(--faint) }
  main :is(p, td, li) > code { color: #ff9d8f !important; background: #262d36 !important; border-color: var(--line) !important }
  main .react-tabs__tab--selected { color: #1f2933 !important }
  main .menu-content label, main [role=search] input { color: var(--text) }
}
`;

/** The viewer takes its colours once, when it starts: a change of the scheme starts it again. */
export const startScript = `
const element = document.getElementById('viewer');
const darkScheme = matchMedia('(prefers-color-scheme: dark)');
const themes = ${JSON.stringify({ light: themeOf(light), dark: themeOf(dark) })};
function start() {
  Redoc.init(
    element.dataset.document,
    {
      theme: darkScheme.matches ? themes.dark : themes.light,
      schemasExpansionLevel: 2,
      hideSchemaPattern: true,
      jsonSamplesExpandLevel: 'all',
    },
    element,
  );
}
// Waits until the heading is painted: drawing all operations keeps the browser busy for seconds.
requestAnimationFrame(() => setTimeout(start));
darkScheme.addEventListener('change', () => location.reload());
`;

function variables(colors: Colors): string {
  return Object.entries(colors)
    .map(([name, value]) => `--${name}: ${value};`)
    .join(' ');
}

function themeOf({ text, faint, side, line, link, nested }: Colors) {
  const font = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
  const codeFont = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace';
  return {
    typography: {
      fontFamily: font,
      headings: { fontFamily: font },
      code: { fontFamily: codeFont, wrap: true },
      links: { color: link, visited: link, hover: link },
    },
    colors: {
      primary: { main: link },
      text: { primary: text, secondary: faint },
      gray: { 50: side, 100: nested },
      border: { light: line, dark: line },
    },
    schema: { nestedBackground: nested, linesColor: line, typeNameColor: faint, typeTitleColor: faint },
    sidebar: { backgroundColor: side, textColor: text, activeTextColor: link },
  };
}
