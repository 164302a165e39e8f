// What Ctrl+K offers for a typed text.

export type Command = {
  id: string;
  label: string;
  kind: string;
  to: { to: string; params?: Record<string, string>; search?: Record<string, string> };
};

type Sources = {
  pages: readonly { label: string; to: string }[];
  sections: readonly { name: string; label: string }[];
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
 * Every typed word must begin a word of the label, except of people that the service has found for the same text: it searches
 * more than the label shows. Places come first, and leave room for people.
 */
export function commandsFor(typed: string, { pages, sections, apps, people }: Sources): Command[] {
  const words = wordsOf(typed);
  const matches = ({ label, kind }: Command) => {
    const own = wordsOf(`${label} ${kind}`);
    return words.every((word) => own.some((each) => each.startsWith(word)));
  };
  const places: Command[] = [
    ...pages.map(({ label, to }) => ({ id: label, label, kind: 'Page', to: { to } })),
    ...sections.map(({ name, label }) => ({
      id: `setting-${name}`,
      label,
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
    { id: 'account', label: 'Your account', kind: 'Page', to: { to: '/account' } },
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
