// The languages of the elements: those of the service's mails. English is built in, the others are loaded when they are needed.
import { texts as english, type Texts } from './texts/en.js';

const loaders: Record<string, () => Promise<{ texts: Texts }>> = {
  ar: () => import('./texts/ar.js'),
  de: () => import('./texts/de.js'),
  es: () => import('./texts/es.js'),
  fr: () => import('./texts/fr.js'),
  it: () => import('./texts/it.js'),
  ja: () => import('./texts/ja.js'),
  nl: () => import('./texts/nl.js'),
  pl: () => import('./texts/pl.js'),
  'pt-BR': () => import('./texts/pt-br.js'),
  tr: () => import('./texts/tr.js'),
  'zh-Hans': () => import('./texts/zh-hans.js'),
};

export const languages: readonly string[] = ['en', ...Object.keys(loaders)];

/** The first language wanted that there is, whatever its region, but in the same script; otherwise English. */
export function languageFor(wanted: readonly string[]): string {
  for (const tag of wanted) {
    const found = languages.find((name) => spoken(name) === spoken(tag));
    if (found) return found;
  }
  return 'en';
}

export async function loadTexts(language: string): Promise<Texts> {
  return (await loaders[language]?.())?.texts ?? english;
}

export function directionOf(language: string): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}

/** Replaces the names in braces. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => `${values[name] ?? whole}`);
}

function spoken(tag: string): string {
  try {
    // POSIX and Android write "de_DE.UTF-8".
    const { language, script } = new Intl.Locale(tag.replace(/[.@].*/, '').replace(/_/g, '-')).maximize();
    return `${language} ${script}`;
  } catch {
    return tag;
  }
}
