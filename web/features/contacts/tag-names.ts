import type { Contact } from '#contract/contacts/endpoints.ts';
import type { Tag } from './with-contacts.tsx';

/** The names of a contact's tags, in the order of my tags. */
export const tagNames = ({ tagIds }: Contact, tags: readonly Tag[]): string[] =>
  tags.filter((tag) => tagIds.includes(tag.id)).map((tag) => tag.name);

/** What I noted about a contact, in one line: "from work · Ski club". */
export const relationLine = (contact: Contact, tags: readonly Tag[]): string =>
  [contact.remark, ...tagNames(contact, tags)].filter(Boolean).join(' · ');
