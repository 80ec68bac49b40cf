import type { Application } from '#contract/contacts/endpoints.ts';
import type { ContactsContext } from './context.ts';
import type { ApplicationRow } from './store.ts';
import { otherSide, viewApplication } from './view.ts';
import { peopleByIds } from '../identity/service.ts';

/** Applications with the person on the other side; leaves out those whose account is gone. */
export async function viewApplications(
  { platform }: ContactsContext,
  rows: readonly ApplicationRow[],
  viewerId: string,
): Promise<Application[]> {
  const people = await peopleByIds(
    platform,
    rows.map((row) => otherSide(row, viewerId)),
  );
  return rows.flatMap((row) => {
    const person = people.get(otherSide(row, viewerId));
    return person === undefined ? [] : [viewApplication(row, viewerId, person)];
  });
}
