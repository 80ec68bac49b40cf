import type { Platform } from '../../platform/platform.ts';
import type { Db } from '../../platform/database/db.ts';
import { movedOn, notFound, refuseField } from '../../platform/refusal.ts';
import type { By } from './move-log.ts';
import type { Moves } from './moves.ts';
import {
  detailsOf,
  maxDetourOf,
  type PublishOrder,
  type RequestInput,
  type RideInput,
} from './publish-order.ts';
import {
  changesPreferences,
  changesRequestTerms,
  changesRideTerms,
  requestEdit,
  rideEdit,
} from './rules/editing.ts';
import type { Cascade } from './cascade.ts';
import * as store from './store.ts';

const matched = () =>
  movedOn('order.matched', 'You cannot edit the time, address or cost because the ride is already matched.');
const agreed = () =>
  movedOn('order.preferencesAgreed', 'You cannot edit the preferences because somebody rides along on them.');
const stale = () => movedOn('order.moved', 'This ride has moved on. Please look again.');
const missing = () => notFound('order.notFound', 'This ride could not be found.');

/** Where an edit is written: a transaction of its own, or one that it is a part of. */
type Within = (work: (tx: Db) => Promise<void>) => Promise<void>;

/**
 * Editing an order that stands, with every check of publishing. Whoever has asked or was invited on terms that change is
 * not held to the new ones: their ask is closed, free, and they may ask again.
 */
export function createEditOrder(
  { transact }: Platform,
  publishing: PublishOrder,
  moves: Moves,
  settle: Cascade,
) {
  const { checkCar, checkCircle, checkEvent, womenRefusal, takeTime, soundRide, soundRequest } = publishing;

  async function updateRide(within: Within, driverId: string, id: string, order: RideInput): Promise<void> {
    await checkEvent(driverId, order.eventId);
    const refusal = await womenRefusal(driverId, order.preferences, 'order.preferences.women');
    const by: By = { actor: 'driver', actorId: driverId };
    await within(async (tx) => {
      const ride = await store.lockRide(tx, id);
      if (ride === null || ride.driverId !== driverId) throw missing();
      const bookings = await store.bookingsOf(tx, { rideIds: [id] });
      const edit = rideEdit(ride.state, bookings);
      if (edit === 'none') throw stale();
      const isOther = changesRideTerms(ride, order);
      if (isOther && edit === 'details') throw matched();
      const wantsOther = changesPreferences(ride, order.preferences);
      if (wantsOther && edit === 'details') throw agreed();
      if (wantsOther && refusal !== null) throw refusal;
      const isNew = isOther || wantsOther;
      const sound = isNew ? soundRide(order) : null;
      await checkCar(tx, driverId, order);
      await checkCircle(tx, driverId, order);
      const { seats, vehicleId, instant } = order;
      const set = { ...detailsOf(order), seats, vehicleId, instant };
      if (sound !== null) {
        const { columns, plan, taken } = sound;
        await store.lockPerson(tx, driverId);
        await takeTime(tx, { id, personId: driverId, field: 'order.departsAt' }, taken);
        await settle.closeAsks(tx, bookings, 'withdraw', 'changed');
        const edited = await store.editRide(tx, id, { ...set, ...columns });
        await store.savePlan(tx, id, plan);
        await moves.edited(tx, { ride: edited }, by, 'terms');
        await settle.requests(tx, bookings);
      } else {
        const stops = await store.stopsOf(tx, [id]);
        const taken = Math.max(0, ...stops.map((stop) => stop.seatsTaken));
        if (order.seats < taken)
          throw refuseField(
            'order.seatsTaken',
            'order.seats',
            `${taken} ${taken === 1 ? 'seat is' : 'seats are'} taken already.`,
            { taken },
          );
        const maxDetourMs = maxDetourOf(order, ride.driveMs);
        const edited = await store.editRide(tx, id, { ...set, maxDetourMs });
        await store.setSeats(tx, id, order.seats);
        await moves.edited(tx, { ride: edited }, by, 'details');
      }
      await settle.ride(tx, id);
    });
  }

  async function updateRequest(
    within: Within,
    passengerId: string,
    id: string,
    order: RequestInput,
  ): Promise<void> {
    await checkEvent(passengerId, order.eventId);
    const refusal = await womenRefusal(passengerId, order.preferences, 'order.preferences.women');
    const by: By = { actor: 'passenger', actorId: passengerId };
    await within(async (tx) => {
      const request = await store.lockRequest(tx, id);
      if (request === null || request.passengerId !== passengerId) throw missing();
      const bookings = await store.bookingsOf(tx, { requestIds: [id] });
      const edit = requestEdit(request.state, bookings);
      if (edit === 'none') throw stale();
      const isOther = changesRequestTerms(request, order);
      if (isOther && edit === 'details') throw matched();
      const wantsOther = changesPreferences(request, order.preferences);
      if (wantsOther && edit === 'details') throw agreed();
      if (wantsOther && refusal !== null) throw refusal;
      const isNew = isOther || wantsOther;
      const sound = isNew ? soundRequest(order) : null;
      await checkCircle(tx, passengerId, order);
      if (sound === null) {
        const edited = await store.editRequest(tx, id, detailsOf(order));
        await moves.edited(tx, { request: edited }, by, 'details');
        return;
      }
      const { columns, taken } = sound;
      await store.lockPerson(tx, passengerId);
      await takeTime(tx, { id, personId: passengerId, field: 'order.earliestAt' }, taken);
      await settle.closeAsks(tx, bookings, 'withdraw', 'changed');
      const edited = await store.editRequest(tx, id, { ...detailsOf(order), ...columns });
      await moves.edited(tx, { request: edited }, by, 'terms');
      await settle.request(tx, id);
    });
  }

  const write = (within: Within, personId: string, id: string, order: RideInput | RequestInput) =>
    order.role === 'driver'
      ? updateRide(within, personId, id, order)
      : updateRequest(within, personId, id, order);

  return {
    /** Writes what the owner of an order has edited. Refuses `order.matched` where others rely on what would change. */
    update: (personId: string, id: string, order: RideInput | RequestInput): Promise<void> =>
      write(
        (work) =>
          transact(async (tx) => {
            await work(tx);
            await store.markEdited(tx, id);
          }),
        personId,
        id,
        order,
      ),

    /** The same as a part of something greater: an edit of a whole series. */
    updateIn: (tx: Db, personId: string, id: string, order: RideInput | RequestInput): Promise<void> =>
      write((work) => work(tx), personId, id, order),
  };
}

export type EditOrder = ReturnType<typeof createEditOrder>;
