import type { Contact } from '#contract/contacts/endpoints.ts';
import { tagNames } from './tag-names.ts';
import type { Tag } from './with-contacts.tsx';

const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();

/** My contacts whose name, remark or tag contains the text, whatever its case and accents. */
export function searchContacts(
  contacts: readonly Contact[],
  tags: readonly Tag[],
  text: string,
): readonly Contact[] {
  const wanted = plain(text);
  return contacts.filter((contact) =>
    [contact.person.name, contact.remark, ...tagNames(contact, tags)].some((words) =>
      plain(words).includes(wanted),
    ),
  );
}
