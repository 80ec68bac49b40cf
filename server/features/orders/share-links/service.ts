import { openRequestStates, openRideStates } from '#contract/rides/moves.ts';
import { randomUUID } from 'node:crypto';
import type { OutputOf } from '#contract/define.ts';
import type { LinkedOrder, openLink, readLink } from '#contract/rides/sharing.ts';
import type { Platform } from '../../../platform/platform.ts';
import { movedOn, notFound } from '../../../platform/refusal.ts';
import { hashSecret } from '../../../platform/security/session.ts';
import { blockBetween } from '../../contacts/queries.ts';
import type { GeoService } from '../../geo/service.ts';
import type { IdentityService } from '../../identity/service.ts';
import { orderNotFound } from '../order-refusals.ts';
import * as orders from '../store.ts';
import * as store from './store.ts';

/** 22 characters of base64url carry 132 bits. */
const codeLength = 22;
/** States in which somebody may still come along. */
const openStates: readonly string[] = [...openRideStates, ...openRequestStates];

const nothing = () => notFound('link.notFound', 'This link shows nothing any more.');
const path = (code: string) => `/pages/order/linked?code=${code}`;

type Found = { ride: orders.RideRow } | { request: orders.RequestRow };

/** Links to rides and requests, for people whom their circle does not reach: who opens one is in the circle from then on. */
export function createShareLinks(
  { db, transact, clock, signedTokens }: Platform,
  geo: GeoService,
  identity: IdentityService,
) {
  // The code follows from the link's id: its owner is shown it again, and the tables hold a hash alone.
  const codeOf = async (linkId: string) =>
    (await signedTokens.derive('order link', linkId)).slice(0, codeLength);

  async function find(orderId: string): Promise<Found | null> {
    const [ride] = await orders.ridesByIds(db, [orderId]);
    if (ride !== undefined) return { ride };
    const [request] = await orders.requestsByIds(db, [orderId]);
    return request === undefined ? null : { request };
  }
  const ownerOf = (found: Found) => ('ride' in found ? found.ride.driverId : found.request.passengerId);
  const isOpen = (found: Found) =>
    openStates.includes('ride' in found ? found.ride.state : found.request.state);

  async function own(orderId: string, personId: string): Promise<Found> {
    const found = await find(orderId);
    if (found === null || ownerOf(found) !== personId) throw orderNotFound();
    return found;
  }

  /** The open order behind a code. Refuses `link.notFound` for any other. */
  async function behind(code: string): Promise<{ link: store.LinkRow; found: Found }> {
    const link = await store.linkByCode(db, hashSecret(code));
    const found = link === null ? null : await find(link.orderId);
    if (link === null || found === null || !isOpen(found)) throw nothing();
    return { link, found };
  }

  async function view(orderId: string): Promise<OutputOf<typeof readLink>> {
    const link = await store.linkOf(db, orderId);
    return link === null
      ? { path: null, madeAt: null }
      : { path: path(await codeOf(link.id)), madeAt: link.madeAt.toISOString() };
  }

  return {
    /** The link to one's own order. Refuses `order.notFound`. */
    async read(orderId: string, personId: string): Promise<OutputOf<typeof readLink>> {
      await own(orderId, personId);
      return view(orderId);
    },

    /** Makes the link to one's own order where there is none yet, or another one. Refuses `link.over`. */
    async make(
      { id: orderId, renew }: { id: string; renew: boolean },
      ownerId: string,
    ): Promise<OutputOf<typeof readLink>> {
      if (!isOpen(await own(orderId, ownerId)))
        throw movedOn('link.over', 'Nobody can join this ride any more.');
      const id = randomUUID();
      const codeHash = hashSecret(await codeOf(id));
      await transact(async (tx) => {
        if (renew) await store.dropLink(tx, orderId);
        await store.insertLink(tx, { id, orderId, ownerId, codeHash, madeAt: clock.now() });
      });
      return view(orderId);
    },

    /** What a stranger sees: the quarters, the time, seats, price, a short name and its stars. Refuses `link.notFound`. */
    async look(code: string): Promise<LinkedOrder> {
      const { found } = await behind(code);
      const row = 'ride' in found ? found.ride : found.request;
      const person = (await identity.people([ownerOf(found)])).get(ownerOf(found));
      const quarter = (name: string, detail: string, lon: number, lat: number) => {
        const shown = geo.approximate({ name, detail, lon, lat });
        return { name: shown.name, detail: shown.detail };
      };
      const common = {
        from: quarter(row.fromName, row.fromDetail, row.fromLon, row.fromLat),
        to: quarter(row.toName, row.toDetail, row.toLon, row.toLat),
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
      const stops = await orders.stopsOf(db, [id]);
      return {
        ...common,
        role: 'driver',
        earliestAt: departsAt.toISOString(),
        latestAt: latestDepartsAt.toISOString(),
        seats: seats - Math.max(0, ...stops.map(({ seatsTaken }) => seatsTaken)),
        price: { kind: priceKind, cents: costCents },
      };
    },

    /** Takes a person into the circle of the order behind a link. Refuses `link.notFound`, also where one has blocked the other. */
    async open(code: string, personId: string): Promise<OutputOf<typeof openLink>> {
      const { link, found } = await behind(code);
      const role = 'ride' in found ? 'driver' : 'passenger';
      const { id: linkId, orderId, ownerId } = link;
      if (ownerId === personId) return { id: orderId, role };
      if (await blockBetween(db, ownerId, personId)) throw nothing();
      await transact(async (tx) => {
        if (!(await store.grant(tx, { orderId, personId, linkId, at: clock.now() }))) throw nothing();
      });
      return { id: orderId, role };
    },
  };
}
