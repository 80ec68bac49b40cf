import type { z } from 'zod';
import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/safety/endpoints.ts';
import { mostShares, type TripShare } from '#contract/safety/endpoints.ts';
import { keptMs } from '#contract/privacy/retention.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import { Refusal, refuseField } from '../../platform/refusal.ts';
import { areContacts } from '../contacts/service.ts';
import { contactDetailsOf, peopleByIds } from '../identity/service.ts';
import { nameOf, newShare, ownTrip, shareNotFound, tripOn } from './own-trip.ts';
import { shareEmail } from './rules/emails.ts';
import * as store from './store.ts';

/**
 * Creates a link to the person's own trip; with a contact, emails it to them. Refuses `share.notRiding`,
 * `share.notContact`, `share.tooMany`.
 */
export async function shareTrip(
  app: App,
  { id, contactId }: z.output<typeof calls.shareTrip.input>,
  personId: string,
): Promise<OutputOf<typeof calls.shareTrip>> {
  const { transact, outbox, env } = app;
  await tripOn(app, id, personId);
  if (contactId !== undefined && !(await areContacts(app.db, personId, contactId)))
    throw refuseField('share.notContact', 'contactId', 'Please choose one of your contacts.');
  const { row, path } = newShare(app, { rideId: id, ownerId: personId, toId: contactId ?? null });
  const name = await nameOf(app, personId);
  await transact('share trip', async (tx) => {
    if (!(await store.insertShare(tx, row)))
      throw new Refusal(
        'share.tooMany',
        `You can have up to ${mostShares} links to one trip. End one first.`,
      );
    const to =
      contactId === undefined ? undefined : (await contactDetailsOf(app, [contactId], tx)).get(contactId);
    const link = `${env.publicUrl}${path}`;
    if (to !== undefined) await outbox.post(tx, { to: to.email, ...shareEmail(to.language, { name, link }) });
  });
  const { shares } = await viewShares(app, id, personId);
  return { share: shares.find((each) => each.id === row.id)!, path };
}

/** The links that a person has created for one ride. Refuses `order.notFound`. */
export async function listShares(
  app: App,
  rideId: string,
  personId: string,
): Promise<OutputOf<typeof calls.listShares>> {
  await ownTrip(app, rideId, personId);
  return viewShares(app, rideId, personId);
}

/** Ends one's own link at once. Refuses `share.notFound`. */
export async function stopSharing(
  app: App,
  shareId: string,
  personId: string,
): Promise<OutputOf<typeof calls.stopSharing>> {
  const ended = await app.transact('stop sharing', (tx) => store.endShare(tx, shareId, personId));
  if (ended === null) throw shareNotFound();
  return viewShares(app, ended.rideId, personId);
}

async function viewShares(app: App, rideId: string, ownerId: string): Promise<{ shares: TripShare[] }> {
  const rows = await store.sharesOf(app.db, rideId, ownerId);
  const people = await peopleByIds(
    app,
    rows.flatMap(({ toId }) => toId ?? []),
  );
  return {
    shares: rows.map(({ id, toId, createdAt }) => ({
      id,
      to: toId === null ? null : (people.get(toId) ?? null),
      at: createdAt.toISOString(),
    })),
  };
}

/** Deletes links to rides that ended more than a day ago. */
export const clearOldShares = ({ db, clock }: App) =>
  store.forgetShares(db, later(clock.now(), -keptMs('sharedTrips')));
