// What Ctrl+K offers for a typed text.

export type Command = {
  id: string;
  label: string;
  words?: string | undefined;
  kind: string;
  to: { to: string; params?: Record<string, string>; search?: Record<string, string> };
};

/** `words` finds what is not called by them. */
type Named<Place> = Place & { label: string; words?: string };

type Sources = {
  pages: readonly Named<{ to: string }>[];
  sections: readonly Named<{ name: string }>[];
  apps: readonly { id: string; name: string }[];
  people: FoundPeople | undefined;
};

/** The people that the service has found for a text, which may be an earlier one. */
export type FoundPeople = {
  text: string;
  items: readonly { uid: string; email: string; name: string }[];
};

const most = 12;

/**
 * Every typed word must begin a word of the label, or of the words that also name it. People are those that the service has found
 * for the same text, since it searches more than the label shows. Places come first, and leave room for people.
 */
export function commandsFor(typed: string, { pages, sections, apps, people }: Sources): Command[] {
  const words = wordsOf(typed);
  const matches = ({ label, kind, words: other = '' }: Command) => {
    const own = wordsOf(`${label} ${kind} ${other}`);
    return words.every((word) => own.some((each) => each.startsWith(word)));
  };
  const places: Command[] = [
    ...pages.map(({ label, to, words }) => ({ id: label, label, words, kind: 'Page', to: { to } })),
    ...sections.map(({ name, label, words }) => ({
      id: `setting-${name}`,
      label,
      words,
      kind: 'Settings',
      to: { to: '/apps/$appId/settings', search: { section: name } },
    })),
    ...apps.map(({ id, name }) => ({
      id: `app-${id}`,
      label: name,
      kind: 'App',
      to: { to: '/apps/$appId', params: { appId: id } },
    })),
    { id: 'apps', label: 'All apps', kind: 'Page', to: { to: '/apps' } },
    {
      id: 'account',
      label: 'Your account',
      words: 'password email passkey second factor devices profile',
      kind: 'Page',
      to: { to: '/account' },
    },
  ];
  const isFor = (text: string) => text === typed.trim();
  const found: Command[] = (people?.items ?? [])
    .map(({ uid, email, name }) => ({
      id: uid,
      label: name === '' ? email : `${name}, ${email}`,
      kind: 'User',
      to: { to: '/apps/$appId/users/$uid', params: { uid } },
    }))
    .filter((person) => isFor(people?.text ?? '') || matches(person));
  return [...places.filter(matches).slice(0, found.length > 0 ? 4 : most), ...found].slice(0, most);
}

function wordsOf(text: string): string[] {
  return text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
}
