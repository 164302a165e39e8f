// The name of a person; empty without one.

type Person = { first_name: string | null; last_name: string | null };

export function personName({ first_name, last_name }: Person): string {
  return [first_name, last_name].filter(Boolean).join(' ');
}
