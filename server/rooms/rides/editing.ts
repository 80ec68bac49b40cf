import type { Base } from '../../base/base.ts';
import { movedOn, notFound, refuseField } from '../../base/refusal.ts';
import type { By, Moves } from './moves.ts';
import { detailsOf, maxDetourOf, type Publishing, type RequestInput, type RideInput } from './publishing.ts';
import { changesRequestTerms, changesRideTerms, requestEdit, rideEdit } from './rules/editing.ts';
import type { Settle } from './settling.ts';
import * as store from './store.ts';

const matched = () =>
  movedOn('order.matched', 'You cannot edit the time, address or cost because the ride is already matched.');
const stale = () => movedOn('order.moved', 'This ride has moved on. Please look again.');
const missing = () => notFound('order.notFound', 'This ride could not be found.');

/**
 * Editing an order that stands, with every check of publishing. Whoever has asked or was invited on terms that change is
 * not held to the new ones: their ask is closed, free, and they may ask again.
 */
export function createEditing({ transact }: Base, publishing: Publishing, moves: Moves, settle: Settle) {
  const { checkCar, checkCircle, checkEvent, takeTime, soundRide, soundRequest } = publishing;

  async function updateRide(driverId: string, id: string, order: RideInput): Promise<void> {
    await checkEvent(driverId, order.eventId);
    const by: By = { actor: 'driver', actorId: driverId };
    await transact(async (tx) => {
      const ride = await store.lockRide(tx, id);
      if (ride === null || ride.driverId !== driverId) throw missing();
      const bookings = await store.bookingsOf(tx, { rideIds: [id] });
      const edit = rideEdit(
        ride.state,
        bookings.map(({ state }) => state),
      );
      if (edit === 'none') throw stale();
      const isNew = changesRideTerms(ride, order);
      if (isNew && edit === 'details') throw matched();
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

  async function updateRequest(passengerId: string, id: string, order: RequestInput): Promise<void> {
    await checkEvent(passengerId, order.eventId);
    const by: By = { actor: 'passenger', actorId: passengerId };
    await transact(async (tx) => {
      const request = await store.lockRequest(tx, id);
      if (request === null || request.passengerId !== passengerId) throw missing();
      const bookings = await store.bookingsOf(tx, { requestIds: [id] });
      const edit = requestEdit(
        request.state,
        bookings.map(({ state }) => state),
      );
      if (edit === 'none') throw stale();
      const isNew = changesRequestTerms(request, order);
      if (isNew && edit === 'details') throw matched();
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

  return {
    /** Writes what the owner of an order has edited. Refuses `order.matched` where others rely on what would change. */
    update: (personId: string, id: string, order: RideInput | RequestInput): Promise<void> =>
      order.role === 'driver' ? updateRide(personId, id, order) : updateRequest(personId, id, order),
  };
}
