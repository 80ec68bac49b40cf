import type { Application } from '#contract/contacts/endpoints.ts';
import type { ContactsContext } from './context.ts';
import type { ApplicationRow } from './store.ts';
import { otherSide, viewApplication } from './view.ts';

/** Applications with the people on their other sides; without those who are gone. */
export async function viewApplications(
  { identity }: ContactsContext,
  rows: readonly ApplicationRow[],
  viewerId: string,
): Promise<Application[]> {
  const people = await identity.people(rows.map((row) => otherSide(row, viewerId)));
  return rows.flatMap((row) => {
    const person = people.get(otherSide(row, viewerId));
    return person === undefined ? [] : [viewApplication(row, viewerId, person)];
  });
}
