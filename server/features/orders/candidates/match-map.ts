import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import { searchingStates, seatedStates } from '#contract/rides/moves.ts';
import type { Ride } from '#contract/rides/views.ts';
import type { App } from '../../../app-type.ts';
import { notFound, movedOn } from '../../../platform/refusal.ts';
import { walkLine, approximatePlace } from '../../geo/service.ts';
import { areBothWomen } from '../../identity/queries.ts';
import { agreedSpot, planOf, fitPair, tellPair, type Plan, explainPair } from '../../matching/service.ts';
import { seeEachOther } from '../audience/queries.ts';
import { orderNotFound } from '../order-refusals.ts';
import { inWholeSteps, routeThrough } from '../quotes.ts';
import * as store from '../store.ts';
import { loadViewContext } from '../view-context.ts';
import { viewBooking, viewRequest, viewRide } from '../view.ts';

interface Point {
  lon: number;
  lat: number;
}

/** A place on the map, as exact as the viewer may see it. */
type ShownSpot = Point & { approximate: boolean };

/** The ride with the request: where the passenger gets in and out, and the points of the line. */
interface SharedLine {
  pickup: ShownSpot;
  dropoff: ShownSpot;
  points: readonly Point[];
}

interface Pair {
  ride: store.RideRow;
  request: store.RequestRow;
  /** The latest booking that joins the two. */
  booking: store.BookingRow | undefined;
}

const searching: readonly string[] = searchingStates;
const noFit = () => notFound('match.noFit', 'This ride no longer matches. Please look at the others.');

/**
 * The lines of one ride with and without one request, for the owner of one of them. Refuses `order.notFound`,
 * `match.noFit`.
 */
export async function matchMap(
  app: App,
  rideId: string,
  requestId: string,
  viewerId: string,
): Promise<OutputOf<typeof calls.matchMap>> {
  const pair = await readPair(app, { rideId, requestId }, viewerId);
  const { ride, request, booking } = pair;
  const views = await loadViewContext(app, { rides: [ride], requests: [request] }, viewerId);
  const [rideView, requestView] = [viewRide(views, ride), viewRequest(views, request)];
  const seated = booking !== undefined && seatedStates.includes(booking.state) ? booking : null;
  const { pickup, dropoff, points } =
    seated === null
      ? await lineIfJoined(app, pair, viewerId, rideView)
      : { ...viewBooking(views, seated), points: rideView.stops };
  const own = routeThrough(app, [rideView.from, ...rideView.via, rideView.to], ride.trafficPermille);
  const shared = routeThrough(app, points, ride.trafficPermille);
  if (own === null || shared === null) throw noFit();
  const walk = (place: Point, spot: Point): [number, number][] =>
    walkLine(app, place, spot)?.line ?? [
      [place.lon, place.lat],
      [spot.lon, spot.lat],
    ];
  return {
    rideId,
    own: seated === null ? inWholeSteps(own) : own,
    shared: seated === null ? inWholeSteps(shared) : shared,
    pickup: { lon: pickup.lon, lat: pickup.lat },
    dropoff: { lon: dropoff.lon, lat: dropoff.lat },
    walks:
      pickup.approximate || requestView.from.approximate
        ? []
        : [walk(requestView.from, pickup), walk(requestView.to, dropoff)],
  };
}

/**
 * A ride and a request, one of them the viewer's, that a booking joins or whose owners may see each other's.
 * Refuses `order.notFound`.
 */
async function readPair(
  { db }: App,
  { rideId, requestId }: { rideId: string; requestId: string },
  viewerId: string,
): Promise<Pair> {
  const [ride] = await store.ridesByIds(db, [rideId]);
  const [request] = await store.requestsByIds(db, [requestId]);
  if (ride === undefined || request === undefined) throw orderNotFound();
  const bookings = await store.bookingsOf(db, { requestIds: [requestId] });
  const booking = bookings.findLast((each) => each.rideId === rideId);
  const isSide = ride.driverId === viewerId || request.passengerId === viewerId;
  if (!isSide || (booking === undefined && !(await seeEachOther(db, rideId, requestId))))
    throw orderNotFound();
  return { ride, request, booking };
}

/** The line of a ride as it would be with a passenger who has not joined. Refuses `match.noFit`. */
async function lineIfJoined(
  app: App,
  { ride, request, booking }: Pair,
  viewerId: string,
  rideView: Ride,
): Promise<SharedLine> {
  const plan = await planOf(app, app.db, ride);
  const agreed =
    booking !== undefined && searching.includes(booking.state)
      ? { pickup: agreedSpot(booking, 'pickup'), dropoff: agreedSpot(booking, 'dropoff') }
      : undefined;
  if (ride.women && !(await areBothWomen(app.db, ride.driverId, request.passengerId))) throw noFit();
  const fit = fitPair(app, plan, request, agreed);
  if (fit === null) throw noFit();
  const exact = request.passengerId === viewerId;
  const told = tellPair(app, exact ? 'passenger' : 'driver', { plan, wish: fit.wish }, fit.insertion);
  const shown = (at: Point): ShownSpot => {
    const { lon, lat } = exact ? at : approximatePlace(app, { name: '', detail: '', ...at });
    return { lon, lat, approximate: !exact };
  };
  const [pickup, dropoff] = [shown(told.pickup), shown(told.dropoff)];
  return { pickup, dropoff, points: visiblePoints(plan, rideView, { ...told, pickup, dropoff }) };
}

/**
 * The points of the line: only stops that the viewer may see, since a passenger must not learn where others
 * are picked up.
 */
function visiblePoints(
  plan: Plan,
  rideView: Ride,
  at: Omit<SharedLine, 'points'> & { pickupAfter: number; dropoffAfter: number },
): Point[] {
  const seen = plan.stops
    .map((stop, position) => ({ stop, position }))
    .filter(({ stop }) =>
      rideView.stops.some((each) => each.bookingId === stop.bookingId && each.kind === stop.kind),
    );
  return seen.flatMap(({ position }, index) => {
    const nextPosition = seen[index + 1]?.position ?? Infinity;
    const follows = (after: number) => position <= after && nextPosition > after;
    return [
      rideView.stops[index] ?? at.pickup,
      ...(follows(at.pickupAfter) ? [at.pickup] : []),
      ...(follows(at.dropoffAfter) ? [at.dropoff] : []),
    ];
  });
}

/**
 * Rule by rule why a ride and a request fit or do not, for the owner of one of them. Refuses
 * `order.notFound`, and `booking.exists` where they ride together already.
 */
export async function explainMatch(
  app: App,
  rideId: string,
  requestId: string,
  viewerId: string,
): Promise<OutputOf<typeof calls.explain>> {
  const { ride, request } = await readOpenPair(app, rideId, requestId, viewerId);
  const bookings = await store.bookingsOf(app.db, { requestIds: [requestId] });
  if (bookings.some((booking) => booking.rideId === rideId && seatedStates.includes(booking.state)))
    throw movedOn('booking.exists', 'You’re already riding together.');
  const viewer = ride.driverId === viewerId ? 'driver' : 'passenger';
  const { fits, rules } = await explainPair(app, ride, request, viewer);
  return { fits, rules: [...rules] };
}

/** A ride and a request whose owners may see each other's. Refuses `order.notFound`. */
async function readOpenPair(
  { db }: App,
  rideId: string,
  requestId: string,
  viewerId: string,
): Promise<{ ride: store.RideRow; request: store.RequestRow }> {
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
