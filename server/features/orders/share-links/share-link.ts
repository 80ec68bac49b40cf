import { randomUUID } from 'node:crypto';
import type { OutputOf } from '#contract/define.ts';
import type { readLink, LinkedOrder, openLink as openCall } from '#contract/rides/share-links.ts';
import type { Place } from '#contract/units.ts';
import { openRequestStates, openRideStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { movedOn, notFound } from '../../../platform/refusal.ts';
import { hashSecret } from '../../../platform/security/session.ts';
import { readShortCode, shortCodeOf } from '../../../platform/security/short-code.ts';
import { blockBetween } from '../../contacts/queries.ts';
import { approximatePlace } from '../../geo/service.ts';
import { peopleByIds } from '../../identity/service.ts';
import { orderNotFound } from '../order-refusals.ts';
import { fromOf, toOf } from '../rules/ends.ts';
import { readOrderNumber } from '../rules/order-number.ts';
import * as orders from '../store.ts';
import type { FoundOrder } from '../order-views.ts';
import * as store from './store.ts';

/** 22 characters of base64url carry 132 bits. */
const codeLength = 22;

/** The link to one's own order. Refuses `order.notFound`. */
export async function readOwnLink(
  app: App,
  orderId: string,
  personId: string,
): Promise<OutputOf<typeof readLink>> {
  await findOwn(app, orderId, personId);
  return viewLink(app, orderId);
}

/** Makes a link to one's own order, or replaces it. Refuses `order.notFound`, `link.over`. */
export async function makeLink(
  app: App,
  { id: orderId, renew }: { id: string; renew: boolean },
  ownerId: string,
): Promise<OutputOf<typeof readLink>> {
  const { transact, clock } = app;
  if (!isOpen(await findOwn(app, orderId, ownerId)))
    throw movedOn('link.over', 'This ride can’t be joined anymore.');
  const id = randomUUID();
  const [[code], [short]] = await Promise.all([codesOf(app, id), shortsOf(app, id)]);
  const [codeHash, shortHash] = [hashSecret(code), hashSecret(short)];
  const before = await store.linkOf(app.db, orderId);
  // A link whose key has ended still opens, but cannot be shown again.
  const isLost = before !== null && (await codeOf(app, before)) === null;
  await transact('make link', async (tx) => {
    if (renew || isLost) await store.dropLink(tx, orderId);
    await store.insertLink(tx, { id, orderId, ownerId, codeHash, shortHash, madeAt: clock.now() });
  });
  return viewLink(app, orderId);
}

async function findOwn({ db }: App, orderId: string, personId: string): Promise<FoundOrder> {
  const found = await findOrder(db, orderId);
  if (found === null || ownerOf(found) !== personId) throw orderNotFound();
  return found;
}

async function viewLink(app: App, orderId: string): Promise<OutputOf<typeof readLink>> {
  const link = await store.linkOf(app.db, orderId);
  const code = link === null ? null : await codeOf(app, link);
  if (link === null || code === null) return { path: null, short: null, madeAt: null };
  const shorts = await shortsOf(app, link.id);
  const short = shorts.find((each) => hashSecret(each) === link.shortHash) ?? shorts[0];
  return { path: pathOf(code), short: `/r/${short}`, madeAt: link.madeAt.toISOString() };
}

/**
 * Where a short address leads: to the link behind its code (null where there is none), or, for an order
 * number, to the page of the order, which shows it to those who may see it.
 */
export async function pathBehindShortCode(app: App, typed: string): Promise<string | null> {
  const orderNumber = readOrderNumber(typed);
  if (orderNumber !== null) return `/pages/order/detail?id=${orderNumber}`;
  const code = readShortCode(typed);
  const link = code === null ? null : await store.linkByShortHash(app.db, hashSecret(code));
  const linkCode = link === null ? null : await codeOf(app, link);
  return linkCode === null ? null : pathOf(linkCode);
}

const pathOf = (code: string): string => `/pages/order/linked?code=${code}`;

/** The short codes of a link, by each key that verifies; a new link gets the first. */
async function shortsOf({ signedTokens }: App, linkId: string): Promise<[string, ...string[]]> {
  const [first, ...others] = await signedTokens.derivations('short order link', linkId);
  return [shortCodeOf(first), ...others.map(shortCodeOf)];
}

/**
 * The codes of a link, by each key that verifies; a new link gets the first. They are derived from the link's
 * id: its owner can see its code again, and the tables hold only a hash.
 */
async function codesOf({ signedTokens }: App, linkId: string): Promise<[string, ...string[]]> {
  const [first, ...others] = await signedTokens.derivations('order link', linkId);
  return [first.slice(0, codeLength), ...others.map((each) => each.slice(0, codeLength))];
}

/** The code of a link, by the key with which it was made; null if that key has ended. */
async function codeOf(
  app: App,
  { id, codeHash }: Pick<store.LinkRow, 'id' | 'codeHash'>,
): Promise<string | null> {
  const codes = await codesOf(app, id);
  return codes.find((each) => hashSecret(each) === codeHash) ?? null;
}

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

const isOpen = (found: FoundOrder): boolean =>
  openStates.includes('ride' in found ? found.ride.state : found.request.state);

const ownerOf = (found: FoundOrder): string =>
  'ride' in found ? found.ride.driverId : found.request.passengerId;

/** An order by its id, regardless of audience; null where there is none. */
async function findOrder(db: Db, orderId: string): Promise<FoundOrder | null> {
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
