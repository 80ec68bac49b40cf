import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import { failedStates, searchingStates, seatedStates } from '#contract/rides/moves.ts';
import { noPreferences, type Preferences } from '#contract/rides/preferences.ts';
import type { Candidate, NearMiss } from '#contract/rides/views.ts';
import type { Place } from '#contract/units.ts';
import type { Platform } from '../../platform/platform.ts';
import { movedOn, notFound } from '../../platform/refusal.ts';
import { countWaitingWhoSee, seeEachOther } from './audience/queries.ts';
import type { GeoService } from '../geo/service.ts';
import {
  agreedSpot,
  ceilingCents,
  leastShareCents,
  type Around,
  type Fit,
  type MatchingService,
} from '../matching/service.ts';
import type { OrderContext } from './context.ts';
import { checkWomen } from './order-checks.ts';
import type { OrderQueries } from './order-queries.ts';
import { orderNotFound } from './order-refusals.ts';
import { reasonsOf, savedCo2Grams } from './rules/reasons.ts';
import * as store from './store.ts';
import { viewBooking, viewRequest, viewRide } from './view.ts';
import { inWholeSteps, type Quotes } from './quotes.ts';

const pageSize = 20;
/** One page; those who almost fit stand on the first. */
const partAt = (offset: number) => ({ offset, limit: pageSize, near: offset === 0 });
const lookingStates: readonly string[] = searchingStates;

/** A place on the map, as exact as the viewer may know it. */
type ShownSpot = { lon: number; lat: number; approximate: boolean };

const placeOf = (request: store.RequestRow, end: 'pickup' | 'dropoff') =>
  end === 'pickup'
    ? { name: request.fromName, detail: request.fromDetail, lon: request.fromLon, lat: request.fromLat }
    : { name: request.toName, detail: request.toDetail, lon: request.toLon, lat: request.toLat };

/** What a passenger looks for: their request, or the draft of one. */
type Wanted = store.RequestRow | ({ seats: number; offerCents: number | null } & Preferences);

const preferencesOf = ({ pets, luggage, quiet, women }: Preferences): Preferences => ({
  pets,
  luggage,
  quiet,
  women,
});

/** Who fits whom, as people see it: places as exact as they may know them, each with its reasons. */
export function createCandidates(
  { db, clock }: Platform,
  geo: GeoService,
  matching: MatchingService,
  reading: OrderQueries,
  ways: Quotes,
  context: OrderContext,
) {
  const { loadContext, visibleOrder } = reading;
  const { locateWay, routeThrough } = ways;

  async function candidatesOf(
    fits: readonly Fit[],
    viewerId: string | null,
    own: Wanted | null,
  ): Promise<Candidate[]> {
    const requestRows = [
      ...new Map(
        [...fits.flatMap((fit) => fit.request ?? []), ...(own !== null && 'id' in own ? [own] : [])].map(
          (row) => [row.id, row],
        ),
      ).values(),
    ];
    const context = await loadContext(
      fits.map((fit) => fit.ride),
      requestRows,
      viewerId,
    );
    return fits.map((fit): Candidate => {
      const { insertion, ride, told } = fit;
      const request = fit.request ?? (own !== null && 'id' in own ? own : null);
      const wanted = fit.request ?? own;
      const open =
        request === null
          ? undefined
          : (context.bookingsByRequest.get(request.id) ?? []).findLast(
              (booking) => booking.rideId === ride.id && !failedStates.includes(booking.state),
            );
      const shownPlace = (which: 'pickup' | 'dropoff') => {
        const exact = request === null || request.passengerId === viewerId;
        const spot = exact ? insertion[which] : told[which];
        const isDoor = exact ? insertion[`${which}Spot`] === 0 : told[which].atDoor;
        const place =
          isDoor && request !== null
            ? placeOf(request, which)
            : { name: spot.name, detail: '', lon: spot.lon, lat: spot.lat };
        const at = new Date(which === 'pickup' ? told.pickupMs : told.dropoffMs).toISOString();
        const { walkMetres } = spot;
        return { ...(exact ? place : geo.approximate(place)), approximate: !exact, at, walkMetres };
      };
      const [pickup, dropoff] = [shownPlace('pickup'), shownPlace('dropoff')];
      const { detourMs, detourMetres, directMetres } = told;
      const seats = wanted?.seats ?? 1;
      const fareCents = ceilingCents(ride, seats, wanted?.offerCents ?? null);
      return {
        ride: viewRide(context, ride),
        request: fit.request === null ? null : viewRequest(context, fit.request),
        pickup,
        dropoff,
        departsAt: new Date(told.departsMs).toISOString(),
        arrivesAt: new Date(told.arrivesMs).toISOString(),
        detourSeconds: detourMs / 1000,
        detourMetres,
        fareCents,
        leastCents: leastShareCents(ride, { seats, ceiling: fareCents, seatsInAll: ride.seats }),
        savedCo2Grams: savedCo2Grams(directMetres, detourMetres),
        reasons: reasonsOf({
          detourMs,
          detourMetres,
          directMetres,
          fareCents,
          walkMetres: pickup.walkMetres + dropoff.walkMetres,
          seats,
          offerCents: wanted?.offerCents ?? null,
          ride: preferencesOf(ride),
          request: wanted === null ? noPreferences : preferencesOf(wanted),
          seatsLeft: fit.seatsLeft,
          ...fit.person,
        }),
        booking: open === undefined ? null : viewBooking(context, open),
      };
    });
  }

  /** One page of those who fit; on the first, those who almost do. */
  async function pageOf(
    { fits, total, nearMisses }: Around,
    looker: { id: string | null; side: 'driver' | 'passenger'; own: Wanted | null },
  ): Promise<OutputOf<typeof calls.match>> {
    const all = await candidatesOf([...fits, ...nearMisses.map(({ fit }) => fit)], looker.id, looker.own);
    return {
      candidates: all.slice(0, fits.length),
      total,
      nearMisses: nearMisses.map(({ miss }, index): NearMiss => {
        const by = miss.changer === looker.side ? 'me' : 'other';
        return { ...all[fits.length + index]!, rule: miss.rule, change: miss.change, by };
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
      !(await seeEachOther(db, rideId, requestId))
    )
      throw orderNotFound();
    return { ride, request };
  }

  return {
    /** Who fits my order, best first, 20 at a time. Refuses an order that is not the caller's own. */
    async match(id: string, viewerId: string, offset: number): Promise<OutputOf<typeof calls.match>> {
      const found = await visibleOrder(id, viewerId);
      const owner = 'ride' in found ? found.ride.driverId : found.request.passengerId;
      if (owner !== viewerId) throw orderNotFound();
      const { state } = 'ride' in found ? found.ride : found.request;
      // An order that has found its people, or has ended, looks for nobody.
      if (!lookingStates.includes(state)) return { candidates: [], total: 0, nearMisses: [] };
      await matching.index.soon();
      return 'ride' in found
        ? pageOf(await matching.aroundRide(found.ride, partAt(offset)), {
            id: viewerId,
            side: 'driver',
            own: null,
          })
        : pageOf(await matching.aroundRequest(found.request, partAt(offset)), {
            id: viewerId,
            side: 'passenger',
            own: found.request,
          });
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
        preferences: Preferences;
      },
      viewerId: string | null,
      offset: number,
    ): Promise<OutputOf<typeof calls.match>> {
      locateWay(draft.from, draft.to, '');
      await checkWomen(context, viewerId, draft.preferences, 'preferences');
      await matching.index.soon();
      const around = await matching.aroundDraft(draft, viewerId, partAt(offset));
      const { seats, offerCents, preferences } = draft;
      return pageOf(around, { id: viewerId, side: 'passenger', own: { seats, offerCents, ...preferences } });
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
      const viewer = ride.driverId === viewerId ? 'driver' : 'passenger';
      const { fits, rules } = await matching.explain(ride, request, viewer);
      return { fits, rules: [...rules] };
    },

    /** How many waiting people can see my ride and fit it. Refuses a ride that is not the caller's own. */
    async audience(rideId: string, viewerId: string): Promise<OutputOf<typeof calls.audience>> {
      const [ride] = await store.ridesByIds(db, [rideId]);
      if (ride?.driverId !== viewerId) throw orderNotFound();
      if (!lookingStates.includes(ride.state)) return { canSee: 0, fit: 0 };
      const [canSee, fits] = await Promise.all([
        countWaitingWhoSee(db, rideId, clock.now()),
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
        (!booked && !(await seeEachOther(db, rideId, requestId)))
      ) {
        throw orderNotFound();
      }
      const joined = booked && seatedStates.includes(booked.state);
      const context = await loadContext([ride], [request], viewerId);
      const [rideView, requestView] = [viewRide(context, ride), viewRequest(context, request)];
      const plan = await matching.planOf(db, ride);
      let pickup: ShownSpot;
      let dropoff: ShownSpot;
      let order = rideView.stops.map(({ lon, lat }) => ({ lon, lat }));
      if (joined) {
        ({ pickup, dropoff } = viewBooking(context, booked));
      } else {
        const agreed =
          booked && lookingStates.includes(booked.state)
            ? { pickup: agreedSpot(booked, 'pickup'), dropoff: agreedSpot(booked, 'dropoff') }
            : undefined;
        const fit = await matching.fit(db, ride, request, agreed);
        if (fit === null)
          throw notFound('match.noFit', 'This ride no longer fits. Please look at the others.');
        const exact = request.passengerId === viewerId;
        const told = matching.told(exact ? 'passenger' : 'driver', plan, fit.wish, fit.insertion);
        const { pickupAfter, dropoffAfter } = told;
        const shown = (at: { lon: number; lat: number }): ShownSpot => {
          const { lon, lat } = exact ? at : geo.approximate({ name: '', detail: '', ...at });
          return { lon, lat, approximate: !exact };
        };
        [pickup, dropoff] = [shown(told.pickup), shown(told.dropoff)];
        const [getIn, getOut] = [pickup, dropoff];
        // A passenger does not see where others are picked up, so the line goes by the stops they may see.
        const full = plan.stops.map((stop, position) => ({ stop, position }));
        const seen = full.filter(({ stop }) =>
          rideView.stops.some((each) => each.bookingId === stop.bookingId && each.kind === stop.kind),
        );
        order = seen
          .flatMap(({ position }, index) => [
            rideView.stops[index] ?? getIn,
            ...(position <= pickupAfter && (seen[index + 1]?.position ?? Infinity) > pickupAfter
              ? [getIn]
              : []),
            ...(position <= dropoffAfter && (seen[index + 1]?.position ?? Infinity) > dropoffAfter
              ? [getOut]
              : []),
          ])
          .map(({ lon, lat }) => ({ lon, lat }));
      }
      const own = routeThrough([rideView.from, ...rideView.via, rideView.to], ride.trafficPermille);
      const shared = routeThrough(order, ride.trafficPermille);
      if (own === null || shared === null)
        throw notFound('match.noFit', 'This ride no longer fits. Please look at the others.');
      const walk = (place: { lon: number; lat: number }, spot: ShownSpot): [number, number][] =>
        geo.walkLine(place, spot)?.line ?? [
          [place.lon, place.lat],
          [spot.lon, spot.lat],
        ];
      return {
        rideId,
        own: joined ? own : inWholeSteps(own),
        shared: joined ? shared : inWholeSteps(shared),
        pickup: { lon: pickup.lon, lat: pickup.lat },
        dropoff: { lon: dropoff.lon, lat: dropoff.lat },
        walks:
          pickup.approximate || requestView.from.approximate
            ? []
            : [walk(requestView.from, pickup), walk(requestView.to, dropoff)],
      };
    },
  };
}
