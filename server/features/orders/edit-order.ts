import type { App } from '../../app-type.ts';
import { movedOn, refuseField } from '../../platform/refusal.ts';
import { changeOrders, type LockedOrders } from './aggregate/locked-orders.ts';
import { settleRide, closeAsks, settleRequests, settleRequest } from './decide/cascade.ts';
import { orderEdited, type By } from './decide/move-log.ts';
import { checkEvent, checkOwned, checkPrice, takeTime, womenRefusal } from './order-checks.ts';
import { detailsOf, maxDetourOf, type RequestInput, type RideInput } from './order-input.ts';
import { orderNotFound, rideMovedOn } from './order-refusals.ts';
import {
  changesPreferences,
  changesRequestTerms,
  changesRideTerms,
  requestEdit,
  rideEdit,
} from './rules/edit-rules.ts';
import { soundRequest, soundRide } from './sound-order.ts';
import * as store from './store.ts';

const matched = () =>
  movedOn('order.matched', 'You cannot edit the time, address or cost because the ride is already matched.');
const agreed = () =>
  movedOn('order.preferencesAgreed', 'You can’t edit the preferences: riders joined because of them.');

/** How an edit is written. */
interface Editing {
  /** In its own transaction, or in its caller's. */
  within: (work: (locked: LockedOrders) => Promise<void>) => Promise<void>;
  /** Checks that the owner may use the car of the order, and its audience. */
  checkOwned: (locked: LockedOrders) => Promise<void>;
}

/**
 * Writes an owner's edit of an order, with every check of publishing. An ask or invitation whose terms change
 * is closed, free, and may be made again. Refuses `order.matched` where the edit would change what others
 * rely on.
 */
export const editOrder = (
  app: App,
  personId: string,
  id: string,
  order: RideInput | RequestInput,
): Promise<void> =>
  write(app, { personId, id }, order, {
    within: (work) =>
      changeOrders(app, 'edit order', async (locked) => {
        await work(locked);
        await store.markEdited(await locked.db(), id);
      }),
    checkOwned: (locked) => checkOwned(app, locked, personId, order),
  });

/**
 * The same in the caller's transaction: an edit of all days of a recurring ride, of which the caller has
 * checked the car and the audience.
 */
export const editOrderIn = (
  app: App,
  locked: LockedOrders,
  { personId, id }: Owned,
  order: RideInput | RequestInput,
): Promise<void> =>
  write(app, { personId, id }, order, {
    within: (work) => work(locked),
    checkOwned: () => Promise.resolve(),
  });

/** An order by its id, and the person who must own it. */
interface Owned {
  personId: string;
  id: string;
}

const write = (app: App, owned: Owned, order: RideInput | RequestInput, how: Editing): Promise<void> =>
  order.role === 'driver' ? editRide(app, owned, order, how) : editRequest(app, owned, order, how);

async function editRide(
  app: App,
  { personId: driverId, id }: Owned,
  order: RideInput,
  { within, checkOwned: checkOwn }: Editing,
): Promise<void> {
  await checkEvent(app, driverId, order.eventId);
  const refusal = await womenRefusal(app, driverId, order.preferences, 'order.preferences.women');
  await within(async (locked) => {
    const ride = await locked.lockRide(id);
    if (ride === null || ride.driverId !== driverId) throw orderNotFound();
    const bookings = locked.openBookings(id);
    const edit = rideEdit(ride.state, bookings);
    if (edit === 'none') throw rideMovedOn();
    const isOther = changesRideTerms(ride, order);
    if (isOther && edit === 'details') throw matched();
    const wantsOther = changesPreferences(ride, order.preferences);
    if (wantsOther && edit === 'details') throw agreed();
    if (wantsOther && refusal !== null) throw refusal;
    // More seats share the price of a car: it may be too low for them.
    if (!isOther && order.seats > ride.seats) checkPrice(order, 'order.seats');
    const sound = isOther || wantsOther ? soundRide(app, order) : null;
    await checkOwn(locked);
    if (sound === null) await saveRideDetails(app, locked, ride, order);
    else await saveRideTerms(app, locked, { ride, bookings, sound }, order);
    settleRide(app, locked, id);
  });
}

const rideSet = ({ seats, vehicleId, instant, ...order }: RideInput) => ({
  ...detailsOf({ seats, vehicleId, instant, ...order }),
  seats,
  vehicleId,
  instant,
});

async function saveRideTerms(
  app: App,
  locked: LockedOrders,
  {
    ride: { id, driverId },
    bookings,
    sound: { columns, plan, taken },
  }: { ride: store.RideRow; bookings: readonly store.BookingRow[]; sound: ReturnType<typeof soundRide> },
  order: RideInput,
): Promise<void> {
  await locked.lockPerson(driverId);
  takeTime(locked, { id, personId: driverId, field: 'order.departsAt' }, taken);
  closeAsks(app, locked, bookings, { how: 'withdraw', reason: 'changed' });
  const edited = locked.editRide(id, { ...rideSet(order), ...columns });
  locked.savePlan(id, plan);
  orderEdited(app, locked, { ride: edited }, { by: { actor: 'driver', actorId: driverId }, what: 'terms' });
  settleRequests(app, locked, bookings);
}

/** Refuses fewer seats than are taken. */
async function saveRideDetails(
  app: App,
  locked: LockedOrders,
  { id, driverId, driveMs }: store.RideRow,
  order: RideInput,
): Promise<void> {
  const stops = locked.stops(id);
  const taken = Math.max(0, ...stops.map((stop) => stop.seatsTaken));
  if (order.seats < taken)
    throw refuseField(
      'order.seatsTaken',
      'order.seats',
      `${taken} ${taken === 1 ? 'seat is' : 'seats are'} already taken.`,
      { taken },
    );
  const maxDetourMs = maxDetourOf(order, driveMs);
  const edited = locked.editRide(id, { ...rideSet(order), maxDetourMs });
  locked.setSeats(id, order.seats);
  orderEdited(app, locked, { ride: edited }, { by: { actor: 'driver', actorId: driverId }, what: 'details' });
}

async function editRequest(
  app: App,
  { personId: passengerId, id }: Owned,
  order: RequestInput,
  { within, checkOwned: checkOwn }: Editing,
): Promise<void> {
  await checkEvent(app, passengerId, order.eventId);
  const refusal = await womenRefusal(app, passengerId, order.preferences, 'order.preferences.women');
  const by: By = { actor: 'passenger', actorId: passengerId };
  await within(async (locked) => {
    const request = await locked.lockRequest(id);
    if (request === null || request.passengerId !== passengerId) throw orderNotFound();
    const bookings = locked.bookingsOfRequest(id);
    const edit = requestEdit(request.state, bookings);
    if (edit === 'none') throw rideMovedOn();
    const isOther = changesRequestTerms(request, order);
    if (isOther && edit === 'details') throw matched();
    const wantsOther = changesPreferences(request, order.preferences);
    if (wantsOther && edit === 'details') throw agreed();
    if (wantsOther && refusal !== null) throw refusal;
    const sound = isOther || wantsOther ? soundRequest(app, order) : null;
    await checkOwn(locked);
    if (sound === null) {
      const edited = locked.editRequest(id, detailsOf(order));
      orderEdited(app, locked, { request: edited }, { by, what: 'details' });
      return;
    }
    await locked.lockPerson(passengerId);
    takeTime(locked, { id, personId: passengerId, field: 'order.earliestAt' }, sound.taken);
    closeAsks(app, locked, bookings, { how: 'withdraw', reason: 'changed' });
    const edited = locked.editRequest(id, { ...detailsOf(order), ...sound.columns });
    orderEdited(app, locked, { request: edited }, { by, what: 'terms' });
    settleRequest(app, locked, id);
  });
}
