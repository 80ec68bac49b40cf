import type { Place } from '#contract/units.ts';
import type { OutputOf } from '#contract/define.ts';
import type { LinkedOrder, openLink as openCall } from '#contract/rides/share-links.ts';
import { openRequestStates, openRideStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { notFound } from '../../../platform/refusal.ts';
import { hashSecret } from '../../../platform/security/session.ts';
import { blockBetween } from '../../contacts/queries.ts';
import { approximatePlace } from '../../geo/service.ts';
import { peopleByIds } from '../../identity/service.ts';
import { fromOf, toOf } from '../rules/ends.ts';
import * as orders from '../store.ts';
import type { FoundOrder } from '../visible-order.ts';
import * as store from './store.ts';

/** The view of an order for a stranger with its link. Refuses `link.notFound`. */
export async function viewLinkedOrder(app: App, code: string): Promise<LinkedOrder> {
  return viewForStranger(app, (await orderBehind(app.db, code)).found);
}

/** The view of an open public order for a stranger; null for any other. */
export async function viewPublicOrder(app: App, id: string): Promise<LinkedOrder | null> {
  const { db } = app;
  if (!/^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id)) return null;
  const found = await findOrder(db, id);
  if (found === null || !isOpen(found)) return null;
  const maySee = 'ride' in found ? orders.maySeeRide : orders.maySeeRequest;
  return (await maySee(db, id, null)) ? viewForStranger(app, found) : null;
}

/** Neighborhoods, time, seats, price, a short name and its stars. */
async function viewForStranger(app: App, found: FoundOrder): Promise<LinkedOrder> {
  const row = 'ride' in found ? found.ride : found.request;
  const person = (await peopleByIds(app, [ownerOf(found)])).get(ownerOf(found));
  const quarter = (place: Place) => {
    const { name, detail } = approximatePlace(app, place);
    return { name, detail };
  };
  const common = {
    from: quarter(fromOf(row)),
    to: quarter(toOf(row)),
    timeZone: row.timeZone,
    person: {
      // Names written without spaces stay whole.
      shortName: person?.name.trim().split(/\s+/)[0] ?? '',
      rating: person?.rating ?? null,
      ratingCount: person?.ratingCount ?? 0,
    },
  };
  if ('request' in found) {
    const { earliestAt, latestAt, seats, offerCents } = found.request;
    return {
      ...common,
      role: 'passenger',
      earliestAt: earliestAt.toISOString(),
      latestAt: latestAt.toISOString(),
      seats,
      price: { kind: 'perPerson', cents: offerCents },
    };
  }
  const { id, departsAt, latestDepartsAt, seats, priceKind, costCents } = found.ride;
  const stops = await orders.stopsOf(app.db, [id]);
  return {
    ...common,
    role: 'driver',
    earliestAt: departsAt.toISOString(),
    latestAt: latestDepartsAt.toISOString(),
    seats: seats - Math.max(0, ...stops.map(({ seatsTaken }) => seatsTaken)),
    price: { kind: priceKind, cents: costCents },
  };
}

/**
 * Adds a person to the audience of the order behind a link. Refuses `link.notFound`, also where one has
 * blocked the other.
 */
export async function openLink(
  { db, transact, clock }: App,
  code: string,
  personId: string,
): Promise<OutputOf<typeof openCall>> {
  const { link, found } = await orderBehind(db, code);
  const role = 'ride' in found ? 'driver' : 'passenger';
  const { id: linkId, orderId, ownerId } = link;
  if (ownerId === personId) return { id: orderId, role };
  if (await blockBetween(db, ownerId, personId)) throw linkNotFound();
  await transact('open link', async (tx) => {
    if (!(await store.grant(tx, { orderId, personId, linkId, at: clock.now() }))) throw linkNotFound();
  });
  return { id: orderId, role };
}

const linkNotFound = () => notFound('link.notFound', 'This link no longer works.');

/** States in which others can still join. */
const openStates: readonly string[] = [...openRideStates, ...openRequestStates];

export const isOpen = (found: FoundOrder): boolean =>
  openStates.includes('ride' in found ? found.ride.state : found.request.state);

export const ownerOf = (found: FoundOrder): string =>
  'ride' in found ? found.ride.driverId : found.request.passengerId;

/** An order by its id, regardless of audience; null where there is none. */
export async function findOrder(db: Db, orderId: string): Promise<FoundOrder | null> {
  const [ride] = await orders.ridesByIds(db, [orderId]);
  if (ride !== undefined) return { ride };
  const [request] = await orders.requestsByIds(db, [orderId]);
  return request === undefined ? null : { request };
}

/** The open order behind a code. Refuses `link.notFound` for any other. */
async function orderBehind(db: Db, code: string): Promise<{ link: store.LinkRow; found: FoundOrder }> {
  const link = await store.linkByCode(db, hashSecret(code));
  const found = link === null ? null : await findOrder(db, link.orderId);
  if (link === null || found === null || !isOpen(found)) throw linkNotFound();
  return { link, found };
}
