// The built-in words of mails in each language.
import type { MailLanguage } from '@foyer/contract';
import { ar } from './languages/ar.js';
import { de } from './languages/de.js';
import { en } from './languages/en.js';
import { es } from './languages/es.js';
import { fr } from './languages/fr.js';
import { it } from './languages/it.js';
import { ja } from './languages/ja.js';
import { nl } from './languages/nl.js';
import { pl } from './languages/pl.js';
import { ptBr } from './languages/pt-br.js';
import { tr } from './languages/tr.js';
import { zhHans } from './languages/zh-hans.js';
import type { MailWords } from './words.js';

export const builtInWords: Readonly<Record<MailLanguage, MailWords>> = {
  en,
  de,
  fr,
  es,
  'pt-BR': ptBr,
  it,
  nl,
  pl,
  tr,
  ar,
  ja,
  'zh-Hans': zhHans,
};
