import type { Application } from '#contract/contacts/endpoints.ts';
import type { App } from '../../app-type.ts';
import { peopleByIds } from '../identity/service.ts';
import type { ApplicationRow } from './store.ts';
import { otherSide, viewApplication } from './view.ts';

/** Applications with the person on the other side; leaves out those whose account is gone. */
export async function viewApplications(
  app: App,
  rows: readonly ApplicationRow[],
  viewerId: string,
): Promise<Application[]> {
  const people = await peopleByIds(
    app,
    rows.map((row) => otherSide(row, viewerId)),
  );
  return rows.flatMap((row) => {
    const person = people.get(otherSide(row, viewerId));
    return person === undefined ? [] : [viewApplication(row, viewerId, person)];
  });
}
