// The words of users in SQL, as in the index of the search (`users_searched_words`), and the text query that looks for some of
// them. A lexeme is the app with `/` and a word, or with `@` and the domain of the email.
import { Prisma } from '@foyer/prisma';

/**
 * The characters between words. In the texts of the search `=` is between two spellings of a word, so no word contains
 * it.
 */
const between = String.raw`[\s.,;:+@()<>"/\\|&·•‐-―-]+|(?=[\u1100-\u1112\u3041-\u30ff\u3400-\u9fff\U00020000-\U0003ffff])`;
const apostrophes = String.raw`\u2018\u2019\u201b\u2032\u02b9-\u02bf\ua78c\u05f3\u05f4''${'`´'}`;
/** Between Hebrew letters, the quotation mark is that of an abbreviation. */
const gershayim = String.raw`(?<=[\u05d0-\u05ea])"(?=[\u05d0-\u05ea])`;
const marks = String.raw`[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670${apostrophes}]|${gershayim}`;
const inner = `_''’‘ʼʻ${'`´'}`;

const texts = Prisma.sql`coalesce(left(u.first_name, 200), '') || ' ' || coalesce(left(u.last_name, 200), '') || ' ' || left(split_part(u.email, '@', 1), 200)`;
const separated = Prisma.sql`CASE WHEN (${texts}) COLLATE "C" ~ ${Prisma.raw(`'[${inner}]'`)} THEN ' ' || translate(${texts}, ${Prisma.raw(`'${inner}'`)}, '        ') ELSE '' END`;

/** The words of a user `u`: exactly the expression of the index. */
export const wordsOfUser = Prisma.sql`array_to_tsvector(string_to_array(u.app_id || '@' || split_part(u.email, '@', 2) || ' ' || u.app_id || '/' || ${wordsIn(
  Prisma.sql`${texts} || ${separated}`,
  Prisma.sql`' ' || u.app_id || '/'`,
)}, ' '))`;

/**
 * Matches users who have a word that begins with each of the words, or whose domain begins with the domain; null if neither
 * is given. Words are separated by spaces, and spellings of one by `=`.
 */
export function wordsQuery(app: Prisma.Sql, words: Prisma.Sql, domain: Prisma.Sql): Prisma.Sql {
  const spellings = Prisma.sql`(SELECT string_agg('(' || replace(${quoted(app, '/', Prisma.sql`w`)}, '=', ''':*|''' || ${app} || '/') || ')', '&')
    FROM unnest(string_to_array(${wordsIn(words, Prisma.sql`' '`)}, ' ')) AS w WHERE w <> '')`;
  return Prisma.sql`(SELECT nullif(concat_ws('|', ${spellings}, ${quoted(app, '@', domain)}), '')::tsquery)`;
}

/** The operand of a text query for words that begin with `word`, whatever that contains. */
function quoted(app: Prisma.Sql, kind: string, word: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`'''' || ${app} || ${Prisma.raw(`'${kind}'`)} || replace(replace(${word}, '\\', '\\\\'), '''', '''''') || ''':*'`;
}

/**
 * A text without case, accents, apostrophes and vowel signs, the same in every database, regardless of its locale, and with
 * `separator` between its words. A sigma at the end of a word is folded like any other: the prefix may go on in the name.
 */
function wordsIn(text: Prisma.Sql, separator: Prisma.Sql): Prisma.Sql {
  const plain = Prisma.sql`regexp_replace(lower(normalize(${text}, NFKD) COLLATE "und-x-icu") COLLATE "C", ${Prisma.raw(`'${marks}'`)}, '', 'g')`;
  const folded = Prisma.sql`replace(replace(replace(replace(translate(${plain}, 'ςıłøđðħ', 'σiloddh'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')`;
  return Prisma.sql`regexp_replace(${folded}, ${Prisma.raw(`'${between}'`)}, ${separator}, 'g')`;
}
