import { listContacts, type FoundPerson, type Relation } from '#contract/contacts/endpoints.ts';
import { useCall } from '../../core/queries.ts';

/** People found a while ago, as they stand to me now: what was asked since then shows. */
export function useCurrentRelations(found: readonly FoundPerson[]): FoundPerson[] {
  const { data } = useCall(listContacts, {}, { quiet: true });
  if (data === undefined) return [...found];
  const now = new Map<string, Relation>();
  for (const { person, direction, status } of data.applications)
    if (status === 'pending') now.set(person.id, direction === 'out' ? 'applied' : 'asked');
  for (const { person } of data.contacts) now.set(person.id, 'contact');
  for (const { id } of data.blocked) now.set(id, 'blocked');
  return found.map((each) => ({
    ...each,
    relation: each.relation === 'self' ? 'self' : (now.get(each.person.id) ?? 'none'),
  }));
}
