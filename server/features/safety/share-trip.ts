import type { z } from 'zod';
import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/safety/endpoints.ts';
import { mostShares, type TripShare } from '#contract/safety/endpoints.ts';
import { Refusal, refuseField } from '../../platform/refusal.ts';
import { nameOf, newShare, ownTrip, shareNotFound, tripOn, type SafetyContext } from './context.ts';
import { shareEmail } from './rules/emails.ts';
import * as store from './store.ts';
import { contactDetailsOf, peopleByIds } from '../identity/service.ts';
import { areContacts } from '../contacts/service.ts';

/**
 * Creates a link to the person's own trip; with a contact, emails it to them. Refuses `share.notRiding`,
 * `share.notContact`, `share.tooMany`.
 */
export async function shareTrip(
  context: SafetyContext,
  { id, contactId }: z.output<typeof calls.shareTrip.input>,
  personId: string,
): Promise<OutputOf<typeof calls.shareTrip>> {
  const { transact, outbox, env } = context.platform;
  await tripOn(context, id, personId);
  if (contactId !== undefined && !(await areContacts(context.platform.db, personId, contactId)))
    throw refuseField('share.notContact', 'contactId', 'Please choose one of your contacts.');
  const { row, path } = newShare(context, { rideId: id, ownerId: personId, toId: contactId ?? null });
  const name = await nameOf(context, personId);
  await transact(async (tx) => {
    if (!(await store.insertShare(tx, row)))
      throw new Refusal(
        'share.tooMany',
        `You can have up to ${mostShares} links to one trip. End one first.`,
      );
    const to =
      contactId === undefined
        ? undefined
        : (await contactDetailsOf(context.platform, [contactId])).get(contactId);
    const link = `${env.publicUrl}${path}`;
    if (to !== undefined) await outbox.post(tx, { to: to.email, ...shareEmail(to.language, { name, link }) });
  });
  const { shares } = await viewShares(context, id, personId);
  return { share: shares.find((each) => each.id === row.id)!, path };
}

/** The links that a person has created for one ride. Refuses `order.notFound`. */
export async function listShares(
  context: SafetyContext,
  rideId: string,
  personId: string,
): Promise<OutputOf<typeof calls.listShares>> {
  await ownTrip(context, rideId, personId);
  return viewShares(context, rideId, personId);
}

/** Ends one's own link at once. Refuses `share.notFound`. */
export async function stopSharing(
  context: SafetyContext,
  shareId: string,
  personId: string,
): Promise<OutputOf<typeof calls.stopSharing>> {
  const ended = await context.platform.transact((tx) => store.endShare(tx, shareId, personId));
  if (ended === null) throw shareNotFound();
  return viewShares(context, ended.rideId, personId);
}

async function viewShares(
  { platform }: SafetyContext,
  rideId: string,
  ownerId: string,
): Promise<{ shares: TripShare[] }> {
  const rows = await store.sharesOf(platform.db, rideId, ownerId);
  const people = await peopleByIds(
    platform,
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
