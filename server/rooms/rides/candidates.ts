import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import { seatedStates } from '#contract/rides/moves.ts';
import type { Candidate, NearMiss } from '#contract/rides/views.ts';
import type { Place } from '#contract/units.ts';
import type { Base } from '../../base/base.ts';
import { movedOn, notFound } from '../../base/refusal.ts';
import type { GeoService } from '../geo/service.ts';
import type { Around, Fit, MatchingService } from '../matching/service.ts';
import type { Reading } from './reading.ts';
import { reasonsOf, savedCo2Grams } from './rules/reasons.ts';
import * as store from './store.ts';
import { viewBooking, viewRequest, viewRide } from './view.ts';
import type { Ways } from './ways.ts';

const pageSize = 20;
const lookingStates: readonly string[] = ['matching', 'waiting', 'requesting', 'inviting'];

/** Who fits whom, as people see it: places as exact as they may know them, each with its reasons. */
export function createCandidates(
  { db }: Base,
  geo: GeoService,
  matching: MatchingService,
  reading: Reading,
  ways: Ways,
) {
  const { loadContext, visibleOrder } = reading;
  const { locateWay, routeThrough } = ways;

  async function candidatesOf(
    fits: readonly Fit[],
    viewerId: string | null,
    own: store.RequestRow | null,
  ): Promise<Candidate[]> {
    const requestRows = [
      ...new Map(
        [...fits.flatMap((fit) => fit.request ?? []), ...(own === null ? [] : [own])].map((row) => [
          row.id,
          row,
        ]),
      ).values(),
    ];
    const context = await loadContext(
      fits.map((fit) => fit.ride),
      requestRows,
      viewerId,
    );
    return fits.map((fit): Candidate => {
      const { insertion, ride } = fit;
      const request = fit.request ?? own;
      const open =
        request === null
          ? undefined
          : (context.bookingsByRequest.get(request.id) ?? []).findLast(
              (booking) =>
                booking.rideId === ride.id && !['cancel', 'rejected', 'expired'].includes(booking.state),
            );
      const shownPlace = (which: 'pickup' | 'dropoff') => {
        const point = fit[which];
        const named =
          request === null
            ? null
            : which === 'pickup'
              ? {
                  name: request.fromName,
                  detail: request.fromDetail,
                  lon: request.fromLon,
                  lat: request.fromLat,
                }
              : { name: request.toName, detail: request.toDetail, lon: request.toLon, lat: request.toLat };
        const exact = request === null || request.passengerId === viewerId;
        const place = named ?? { name: point.streetName ?? '', detail: '', lon: point.lon, lat: point.lat };
        const walkMetres = Math.round(point.metresFromRoad);
        const at = new Date(which === 'pickup' ? insertion.pickupMs : insertion.dropoffMs).toISOString();
        return { ...(exact ? place : geo.approximate(place)), approximate: !exact, at, walkMetres };
      };
      const directMetres = request?.driveMetres ?? insertion.drives.afterPickup.metres;
      return {
        ride: viewRide(context, ride),
        request: fit.request === null ? null : viewRequest(context, fit.request),
        pickup: shownPlace('pickup'),
        dropoff: shownPlace('dropoff'),
        departsAt: new Date(insertion.departsMs).toISOString(),
        arrivesAt: new Date(insertion.arrivesMs).toISOString(),
        detourSeconds: Math.max(0, Math.round(insertion.detourMs / 1000)),
        detourMetres: Math.max(0, insertion.detourMetres),
        fareCents: fit.fareCents,
        savedCo2Grams: savedCo2Grams(directMetres, insertion.detourMetres),
        reasons: reasonsOf({
          detourMs: insertion.detourMs,
          detourMetres: insertion.detourMetres,
          directMetres,
          fareCents: fit.fareCents,
          walkMetres: Math.round(fit.pickup.metresFromRoad + fit.dropoff.metresFromRoad),
          seats: request?.seats ?? 1,
          offerCents: request?.offerCents ?? null,
          seatsLeft: fit.seatsLeft,
          isContact: fit.isContact,
          contactsInCommon: fit.contactsInCommon,
        }),
        booking: open === undefined ? null : viewBooking(context, open),
      };
    });
  }

  /** One page of those who fit; on the first, those who almost do. */
  async function pageOf(
    { fits, nearMisses }: Around,
    looker: { id: string | null; side: 'driver' | 'passenger'; own: store.RequestRow | null },
    offset: number,
  ): Promise<OutputOf<typeof calls.match>> {
    const near = offset === 0 ? nearMisses : [];
    const page = fits.slice(offset, offset + pageSize);
    const all = await candidatesOf([...page, ...near.map(({ fit }) => fit)], looker.id, looker.own);
    return {
      candidates: all.slice(0, page.length),
      total: fits.length,
      nearMisses: near.map(({ miss }, index): NearMiss => {
        const by = miss.changer === looker.side ? 'me' : 'other';
        return { ...all[page.length + index]!, rule: miss.rule, change: miss.change, by };
      }),
    };
  }

  /** A ride and a request that may know of each other, for one of the two people. Refuses `order.notFound`. */
  async function ownPair(rideId: string, requestId: string, viewerId: string) {
    const [ride] = await store.ridesByIds(db, [rideId]);
    const [request] = await store.requestsByIds(db, [requestId]);
    if (
      ride === undefined ||
      request === undefined ||
      (ride.driverId !== viewerId && request.passengerId !== viewerId) ||
      ride.driverId === request.passengerId ||
      !(await matching.seeEachOther(rideId, requestId))
    )
      throw notFound('order.notFound', 'This ride could not be found.');
    return { ride, request };
  }

  return {
    /** Who fits my order, best first, 20 at a time. Refuses an order that is not the caller's own. */
    async match(id: string, viewerId: string, offset: number): Promise<OutputOf<typeof calls.match>> {
      const found = await visibleOrder(id, viewerId);
      const owner = 'ride' in found ? found.ride.driverId : found.request.passengerId;
      if (owner !== viewerId) throw notFound('order.notFound', 'This ride could not be found.');
      const { state } = 'ride' in found ? found.ride : found.request;
      // An order that has found its people, or has ended, looks for nobody.
      if (!lookingStates.includes(state)) return { candidates: [], total: 0, nearMisses: [] };
      return 'ride' in found
        ? pageOf(await matching.aroundRide(found.ride), { id: viewerId, side: 'driver', own: null }, offset)
        : pageOf(
            await matching.aroundRequest(found.request),
            { id: viewerId, side: 'passenger', own: found.request },
            offset,
          );
    },

    /** Rides that fit a wish before it is published. */
    async matchDraft(
      draft: {
        from: Place;
        to: Place;
        earliestAt: Date;
        latestAt: Date;
        seats: number;
        offerCents: number | null;
        walkMetres: number;
      },
      viewerId: string | null,
      offset: number,
    ): Promise<OutputOf<typeof calls.match>> {
      locateWay(draft.from, draft.to, '');
      const around = await matching.aroundDraft(draft, viewerId);
      return pageOf(around, { id: viewerId, side: 'passenger', own: null }, offset);
    },

    /**
     * Rule by rule why a ride and a request fit or do not, for one of the two people. Refuses `order.notFound`, and
     * `booking.exists` where they ride together already.
     */
    async explain(
      rideId: string,
      requestId: string,
      viewerId: string,
    ): Promise<OutputOf<typeof calls.explain>> {
      const { ride, request } = await ownPair(rideId, requestId, viewerId);
      const bookings = await store.bookingsOf(db, { requestIds: [requestId] });
      if (bookings.some((booking) => booking.rideId === rideId && seatedStates.includes(booking.state)))
        throw movedOn('booking.exists', 'You ride together already.');
      const { fits, rules } = await matching.explain(ride, request);
      return { fits, rules: [...rules] };
    },

    /** How many waiting people can see my ride and fit it. Refuses a ride that is not the caller's own. */
    async audience(rideId: string, viewerId: string): Promise<OutputOf<typeof calls.audience>> {
      const [ride] = await store.ridesByIds(db, [rideId]);
      if (ride?.driverId !== viewerId) throw notFound('order.notFound', 'This ride could not be found.');
      if (!lookingStates.includes(ride.state)) return { canSee: 0, fit: 0 };
      const [canSee, fits] = await Promise.all([
        matching.waitingWhoSee(rideId),
        matching.requestsForRide(ride),
      ]);
      return { canSee, fit: new Set(fits.map((fit) => fit.request!.passengerId)).size };
    },

    /** The lines of one ride with and without one request, for one of the two people. Refuses `order.notFound`, `match.noFit`. */
    async matchMap(
      rideId: string,
      requestId: string,
      viewerId: string,
    ): Promise<OutputOf<typeof calls.matchMap>> {
      const [ride, request] = [
        (await store.ridesByIds(db, [rideId]))[0],
        (await store.requestsByIds(db, [requestId]))[0],
      ];
      const isSide = ride?.driverId === viewerId || request?.passengerId === viewerId;
      const booked =
        ride !== undefined &&
        request !== undefined &&
        (await store.bookingsOf(db, { requestIds: [requestId] })).findLast(
          (booking) => booking.rideId === rideId,
        );
      if (
        ride === undefined ||
        request === undefined ||
        !isSide ||
        (!booked && !(await matching.seeEachOther(rideId, requestId)))
      ) {
        throw notFound('order.notFound', 'This ride could not be found.');
      }
      const joined = booked && seatedStates.includes(booked.state);
      const context = await loadContext([ride], [request], viewerId);
      const [rideView, requestView] = [viewRide(context, ride), viewRequest(context, request)];
      const [pickup, dropoff] = [requestView.from, requestView.to];
      const plan = await matching.planOf(db, ride);
      let order = rideView.stops.map(({ lon, lat }) => ({ lon, lat }));
      if (!joined) {
        const fit = await matching.fit(db, ride, request);
        if (fit === null)
          throw notFound('match.noFit', 'This ride no longer fits. Please look at the others.');
        const { pickupAfter, dropoffAfter } = fit.insertion;
        // A passenger does not see where others are picked up, so the line goes by the stops they may see.
        const full = plan.stops.map((stop, position) => ({ stop, position }));
        const seen = full.filter(({ stop }) =>
          rideView.stops.some((each) => each.bookingId === stop.bookingId && each.kind === stop.kind),
        );
        order = seen
          .flatMap(({ position }, index) => [
            rideView.stops[index] ?? pickup,
            ...(position <= pickupAfter && (seen[index + 1]?.position ?? Infinity) > pickupAfter
              ? [pickup]
              : []),
            ...(position <= dropoffAfter && (seen[index + 1]?.position ?? Infinity) > dropoffAfter
              ? [dropoff]
              : []),
          ])
          .map(({ lon, lat }) => ({ lon, lat }));
      }
      const own = routeThrough([rideView.from, rideView.to]);
      const shared = routeThrough(order);
      if (own === null || shared === null)
        throw notFound('match.noFit', 'This ride no longer fits. Please look at the others.');
      const walk = (place: { lon: number; lat: number }): [number, number][] => {
        const point = matching.pointAt(place);
        return point === null
          ? []
          : [
              [place.lon, place.lat],
              [point.lon, point.lat],
            ];
      };
      return {
        rideId,
        own,
        shared,
        pickup: { lon: pickup.lon, lat: pickup.lat },
        dropoff: { lon: dropoff.lon, lat: dropoff.lat },
        walks: pickup.approximate ? [] : [walk(pickup), walk(dropoff)],
      };
    },
  };
}
