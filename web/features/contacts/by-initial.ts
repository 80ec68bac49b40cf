import type { Contact } from '#contract/contacts/endpoints.ts';

const elsewhere = '#';

/**
 * The letter under which a name is listed: A to Z without accents, or `#` for other scripts, digits and
 * signs.
 */
function initialOf(name: string): string {
  const first = name.trim().normalize('NFD').charAt(0).toUpperCase();
  return /[A-Z]/.test(first) ? first : elsewhere;
}

/** Contacts under their first letters, each group by name; what has no letter comes last. */
export function groupByInitial(contacts: readonly Contact[]): { initial: string; members: Contact[] }[] {
  const groups = new Map<string, Contact[]>();
  for (const contact of contacts.toSorted((a, b) => a.person.name.localeCompare(b.person.name))) {
    const initial = initialOf(contact.person.name);
    groups.set(initial, [...(groups.get(initial) ?? []), contact]);
  }
  return [...groups]
    .map(([initial, members]) => ({ initial, members }))
    .toSorted((a, b) =>
      a.initial === elsewhere ? 1 : b.initial === elsewhere ? -1 : a.initial.localeCompare(b.initial),
    );
}
