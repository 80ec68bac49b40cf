import { endedBookingStates, openAskStates } from '#contract/rides/moves.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { SignalName, SignalPayloads } from '../../../platform/events/signals.ts';
import type { RiderFacts } from '../../identity/queries.ts';
import type { Plan } from '../../matching/service.ts';
import type { BookingRow, RequestRow, RideRow, StopWithWindow } from '../queries.ts';
import { ChangedRows } from './changed-rows.ts';
import { Spans } from './spans.ts';
import { stopsOfPlan, withWindow } from './stops.ts';
import {
  bookingRows,
  changedStops,
  droppingStops,
  enteringWaitlist,
  freeingSpans,
  insertingHistory,
  leavingWaitlist,
  requestRows,
  rideRows,
  savingStops,
  takingSpans,
  wakingChanges,
  type HistoryLine,
  type LoadedRides,
  type NewWait,
  type StopRow,
  type WaitRow,
  type Write,
} from './store.ts';

/** A ride's route, and what is known of its proposal and its payments. */
interface RideParts {
  stops: readonly StopRow[];
  isAnotherWayOpen: boolean;
  isPaid: boolean;
}

/** A signal that is noted until the orders are saved. */
export interface Emission<N extends SignalName = SignalName> {
  name: N;
  payload: SignalPayloads[N];
  key: string;
}

export const keyOf = ({ rideId, requestId }: Pick<NewWait, 'rideId' | 'requestId'>): string =>
  `${rideId}:${requestId}`;
const isOpen = ({ state }: BookingRow): boolean => !endedBookingStates.includes(state);
/** Oldest first. */
const byAge = (a: BookingRow, b: BookingRow): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);

/** The changes of orders that are not written yet. */
export interface OrderChanges {
  /** Written first: they end bookings and free stops, time and places on waitlists for others. */
  removals: Write[];
  writes: Write[];
  emissions: Emission[];
  /** What other features write because of the changes. */
  effects: ((db: Db) => Promise<unknown>)[];
}

/**
 * Orders as a value in memory: rides with their requests, bookings, routes, waitlists and people's time. The
 * rules that move them read and change it, and ask no database: `moves.ts`, `cascade.ts`, `offer-seat.ts`.
 * `LockedOrders` loads it under locks, and writes what has changed.
 */
export class Orders {
  readonly #rides = new Map<string, RideParts>();
  /** By ride and request. */
  readonly #waiting = new Map<string, WaitRow>();
  readonly #leftWaitlist = new Map<string, NewWait>();
  readonly #enteredWaitlist = new Map<string, NewWait>();
  readonly #savedStops = new Map<string, readonly StopRow[]>();
  /** The drivers and passengers, who are not locked themselves. */
  readonly #people = new Map<string, RiderFacts>();
  /** By ride and passenger: whether there is no block between the driver and the passenger. */
  readonly #free = new Map<string, boolean>();
  readonly #rows = {
    rides: new ChangedRows(rideRows),
    requests: new ChangedRows(requestRows),
    bookings: new ChangedRows(bookingRows, ({ version }) => version),
  };
  #spans = new Spans();
  #history: HistoryLine[] = [];
  #emissions: Emission[] = [];
  #effects: ((db: Db) => Promise<unknown>)[] = [];
  /** Rides whose open proposals the scheduler is to check, and when. */
  readonly #wokenChanges = new Map<string, Date>();

  /** Adds orders as the database has them; rows that are here already may have changes, and stay. */
  read({ orders, people, blocks, paid }: LoadedRides): void {
    if (orders === null) return;
    const rides = orders.rides.map((row) => this.#rows.rides.read(row));
    const requests = orders.requests.map((row) => this.#rows.requests.read(row));
    for (const row of orders.bookings) this.#rows.bookings.read(row);
    for (const row of orders.waiting) this.#waiting.set(keyOf(row), row);
    const stops = Map.groupBy(orders.stops, ({ rideId }) => rideId);
    const changing = new Map(orders.changing.map((each) => [each.rideId, each.isAnotherWay]));
    for (const { id } of rides)
      this.#rides.set(id, {
        stops: stops.get(id) ?? [],
        isAnotherWayOpen: changing.get(id) === true,
        isPaid: paid?.includes(id) === true,
      });
    const owners = [...rides.map(({ driverId }) => driverId), ...requests.map((row) => row.passengerId)];
    this.#spans.read(owners, orders.spans);
    for (const person of people ?? []) this.#people.set(person.id, person);
    const blocked = new Set(blocks?.flatMap(([a, b]) => [`${a}:${b}`, `${b}:${a}`]));
    for (const { id, driverId } of rides)
      for (const { passengerId } of requests)
        this.#free.set(`${id}:${passengerId}`, !blocked.has(`${driverId}:${passengerId}`));
  }

  /** A ride that is locked. @throws Error where it is not */
  lockedRide(id: string): RideRow {
    const ride = this.ride(id);
    if (ride === null) throw new Error(`ride ${id} is not locked`);
    return ride;
  }

  /** A request that is locked. @throws Error where it is not */
  lockedRequest(id: string): RequestRow {
    const request = this.request(id);
    if (request === null) throw new Error(`request ${id} is not locked`);
    return request;
  }

  /** Notes what another feature writes because of a change, in the transaction, once the orders are saved. */
  thenWrite(effect: (db: Db) => Promise<unknown>): void {
    this.#effects.push(effect);
  }

  /** Notes a signal, which is written with the orders. @param key as of `Outbox.emit`. */
  emit<N extends SignalName>(name: N, payload: SignalPayloads[N], key: string): void {
    this.#emissions.push({ name, payload, key });
  }

  /** Adds an entry to the history of an order, which is written with the orders. */
  note(line: HistoryLine): void {
    this.#history.push(line);
  }

  /** Makes the scheduler check the open proposal of a ride, where it has one. */
  wakeChange(rideId: string, at: Date): void {
    this.#wokenChanges.set(rideId, at);
  }

  /** Returns what is to be written, once. */
  takeChanges(): OrderChanges {
    const routes = [...this.#savedStops].map(([rideId, before]) => ({
      rideId,
      before,
      after: this.#rides.get(rideId)!.stops,
    }));
    const stops = routes.flatMap(changedStops);
    const shorter = routes.filter(({ before, after }) => before.length > after.length);
    const { moved, freed } = this.#spans.takeMoved();
    const left = [...this.#leftWaitlist.values()];
    const entered = [...this.#enteredWaitlist.values()];
    const history = this.#history.splice(0);
    const woken = [...this.#wokenChanges];
    const written = this.#noteWritten();
    const { rides, requests, bookings } = this.#rows;
    this.#savedStops.clear();
    this.#leftWaitlist.clear();
    this.#enteredWaitlist.clear();
    this.#wokenChanges.clear();
    const removals = [
      ...bookings.takeUpdates((booking) => !isOpen(booking)),
      ...(shorter.length > 0 ? [droppingStops(shorter)] : []),
      ...(freed.length > 0 ? [freeingSpans(freed)] : []),
      ...(left.length > 0 ? [leavingWaitlist(left)] : []),
    ];
    const writes = [
      ...rides.takeWrites(),
      ...requests.takeWrites(),
      ...bookings.takeWrites(),
      ...(stops.length > 0 ? [savingStops(stops)] : []),
      ...(moved.length > 0 ? [takingSpans(moved)] : []),
      ...(entered.length > 0 ? [enteringWaitlist(entered)] : []),
      ...(history.length > 0 ? [insertingHistory(history)] : []),
      ...(woken.length > 0 ? [wakingChanges(woken)] : []),
    ];
    const [emissions, effects] = [[...this.#emissions.splice(0), ...written], this.#effects.splice(0)];
    return { removals, writes, emissions, effects };
  }

  /** The signal of the orders that are about to be written. */
  #noteWritten(): Emission<'orders.written'>[] {
    const { rides, requests, bookings } = this.#rows;
    const orderIds = new Set([
      ...[...rides.unwritten(), ...requests.unwritten()].map(({ id }) => id),
      ...bookings.unwritten().map(({ rideId }) => rideId),
      ...this.#savedStops.keys(),
    ]);
    const [key] = orderIds;
    return key === undefined ? [] : [{ name: 'orders.written', payload: { orderIds: [...orderIds] }, key }];
  }

  /** Drops the loaded rows, of which none may have changes. */
  forget(): void {
    this.#rides.clear();
    this.#waiting.clear();
    this.#leftWaitlist.clear();
    this.#enteredWaitlist.clear();
    this.#savedStops.clear();
    this.#spans = new Spans();
    this.#people.clear();
    this.#free.clear();
    for (const rows of Object.values(this.#rows)) rows.forget();
  }

  ride = (id: string): RideRow | null => this.#rows.rides.get(id);
  request = (id: string): RequestRow | null => this.#rows.requests.get(id);
  booking = (id: string): BookingRow | null => this.#rows.bookings.get(id);

  /** The rows loaded with a locked ride. @throws Error where it is not locked */
  #routeOf(id: string): RideParts {
    const route = this.#rides.get(id);
    if (route === undefined) throw new Error(`ride ${id} is not locked`);
    return route;
  }

  /**
   * Whether neither side of a ride and a request has blocked the other, and none is suspended. Both are
   * locked.
   */
  standingOf({ id, driverId }: RideRow, passengerId: string): { isFree: boolean; areActive: boolean } {
    return {
      isFree: this.#free.get(`${id}:${passengerId}`) === true,
      areActive: !this.isSuspended(driverId) && !this.isSuspended(passengerId),
    };
  }

  /** Whether a driver or passenger of these orders is suspended. */
  isSuspended = (personId: string): boolean => this.#people.get(personId)?.isSuspended === true;

  /** Whether the profiles of the driver and the passenger both say female. Both orders are locked. */
  areBothWomen = (driverId: string, passengerId: string): boolean =>
    [driverId, passengerId].every((id) => this.#people.get(id)?.isWoman === true);

  /** The route of a ride that is locked, each stop with the windows of the passenger it serves. */
  stopsWithWindows(rideId: string): StopWithWindow[] {
    return this.stops(rideId).map((stop) => {
      const booking = stop.bookingId === null ? null : this.booking(stop.bookingId);
      const request = booking === null ? null : this.request(booking.requestId);
      return withWindow(stop, booking, request);
    });
  }

  /**
   * The bookings of a request that is locked, oldest first: those that are open, were joined or owe a fee,
   * and of the rides that are locked the latest others.
   */
  bookingsOfRequest(requestId: string): BookingRow[] {
    if (this.request(requestId) === null) throw new Error(`request ${requestId} is not locked`);
    return this.#bookings((booking) => booking.requestId === requestId);
  }

  /** The bookings of a ride that is locked, oldest first: as of `bookingsOfRequest`. */
  bookingsOfRide(rideId: string): BookingRow[] {
    this.#routeOf(rideId);
    return this.#bookings((booking) => booking.rideId === rideId);
  }

  /** The open bookings of a ride that is locked, oldest first. */
  openBookings = (rideId: string): BookingRow[] => this.bookingsOfRide(rideId).filter(isOpen);

  #bookings = (isMeant: (booking: BookingRow) => boolean): BookingRow[] =>
    this.#rows.bookings.all().filter(isMeant).toSorted(byAge);

  /** The route of a ride that is locked. */
  stops = (rideId: string): readonly StopRow[] => this.#routeOf(rideId).stops;

  /** Whether an open booking of a ride may have a payment: also where the ride is not locked. */
  isPaid = (rideId: string): boolean => this.#rides.get(rideId)?.isPaid !== false;
  /** Whether another route is proposed to the passengers of a ride that is locked. */
  isAnotherWayOpen = (rideId: string): boolean => this.#routeOf(rideId).isAnotherWayOpen;

  /** The waitlist of a ride that is locked, first come first. */
  waitingFor(rideId: string): WaitRow[] {
    this.#routeOf(rideId);
    return [...this.#waiting.values()]
      .filter((each) => each.rideId === rideId)
      .toSorted((a, b) => a.id - b.id);
  }

  /**
   * Takes requests off waitlists: all of a ride, one request off all, or one off one. False where there were
   * none.
   */
  stopWaiting(of: { rideId: string; requestId?: string } | { requestId: string }): boolean {
    const { rideId, requestId }: { rideId?: string; requestId?: string } = of;
    const waits = [...this.#waiting.values()].filter(
      (each) =>
        (rideId === undefined || each.rideId === rideId) &&
        (requestId === undefined || each.requestId === requestId),
    );
    for (const wait of waits) {
      this.#waiting.delete(keyOf(wait));
      // One that is not written yet is not written at all.
      if (!this.#enteredWaitlist.delete(keyOf(wait))) this.#leftWaitlist.set(keyOf(wait), wait);
    }
    return waits.length > 0;
  }

  /** Puts a request at the end of a ride's waitlist; does nothing where it is on it already. */
  startWaiting(wait: NewWait): void {
    if (this.#waiting.has(keyOf(wait))) return;
    // Behind all that are written: the database draws the id.
    this.#waiting.set(keyOf(wait), { ...wait, id: Number.MAX_SAFE_INTEGER });
    this.#enteredWaitlist.set(keyOf(wait), wait);
  }

  /** A ride that this transaction publishes: there is nothing yet that belongs to it. */
  insertRide(values: Partial<RideRow>): RideRow {
    const ride = this.#rows.rides.insert(rideRows.complete(values));
    this.#rides.set(ride.id, { stops: [], isAnotherWayOpen: false, isPaid: false });
    return ride;
  }

  /** A request that this transaction publishes. */
  insertRequest = (values: Partial<RequestRow>): RequestRow =>
    this.#rows.requests.insert(requestRows.complete(values));

  /** A booking of a ride and a request that are locked. */
  insertBooking = (values: Partial<BookingRow>): BookingRow =>
    this.#rows.bookings.insert(bookingRows.complete(values));

  /** Changes columns of a ride that is locked. */
  changeRide = (id: string, set: Partial<RideRow>): RideRow => this.#rows.rides.change(id, set);
  changeRequest = (id: string, set: Partial<RequestRow>): RequestRow => this.#rows.requests.change(id, set);
  changeBooking = (id: string, set: Partial<BookingRow>): BookingRow => this.#rows.bookings.change(id, set);

  /** Writes an owner's edit; the state stays. */
  editRide = (id: string, set: Partial<RideRow>): RideRow =>
    this.changeRide(id, { ...set, version: this.ride(id)!.version + 1 });
  editRequest = (id: string, set: Partial<RequestRow>): RequestRow =>
    this.changeRequest(id, { ...set, version: this.request(id)!.version + 1 });

  /** Moves a ride if its state is one of `from`; null when it has moved on. */
  advanceRide(id: string, from: readonly RideRow['state'][], set: Partial<RideRow>): RideRow | null {
    const ride = this.ride(id);
    return ride === null || !from.includes(ride.state)
      ? null
      : this.changeRide(id, { ...set, version: ride.version + 1 });
  }

  advanceRequest(
    id: string,
    from: readonly RequestRow['state'][],
    set: Partial<RequestRow>,
  ): RequestRow | null {
    const request = this.request(id);
    return request === null || !from.includes(request.state)
      ? null
      : this.changeRequest(id, { ...set, version: request.version + 1 });
  }

  advanceBooking(
    id: string,
    from: readonly BookingRow['state'][],
    set: Partial<BookingRow>,
  ): BookingRow | null {
    const booking = this.booking(id);
    return booking === null || !from.includes(booking.state)
      ? null
      : this.changeBooking(id, { ...set, version: booking.version + 1 });
  }

  /** Moves the deadline of an open ask or invitation to a later one. @returns whether it was earlier. */
  extendAnswer({ id, expiresAt }: BookingRow, until: Date): boolean {
    if (expiresAt === null || expiresAt >= until) return false;
    return this.advanceBooking(id, openAskStates, { expiresAt: until }) !== null;
  }

  /**
   * Replaces the agreed route. A joining passenger's seats are taken afterwards, by `claimSeats`; the table
   * refuses a leg with more people than seats (`ride_stops_seats_taken`).
   */
  savePlan(rideId: string, plan: Plan): void {
    const stops = stopsOfPlan(rideId, plan);
    this.#saveStops(rideId, stops);
    const served = new Set(plan.stops.flatMap(({ bookingId }) => bookingId ?? []));
    for (const id of served) {
      const at = (kind: StopRow['kind']) =>
        stops.findLast((stop) => stop.bookingId === id && stop.kind === kind)?.at;
      const [pickupAt, dropoffAt] = [at('pickup'), at('dropoff')];
      this.changeBooking(id, {
        ...(pickupAt === undefined ? {} : { pickupAt }),
        ...(dropoffAt === undefined ? {} : { dropoffAt }),
      });
    }
    this.changeRide(rideId, { departsAt: stops[0]!.at, arrivesAt: stops.at(-1)!.at });
    const { nextAt, departsAt } = this.ride(rideId)!;
    // Written again, so that the scheduler checks it: an empty ride may have to put off its departure.
    if (served.size === 0 && nextAt !== null && nextAt > departsAt)
      this.#rows.rides.touch(rideId, 'departsAt');
  }

  #saveStops(rideId: string, stops: readonly StopRow[]): void {
    const locked = this.#routeOf(rideId);
    if (!this.#savedStops.has(rideId)) this.#savedStops.set(rideId, locked.stops);
    this.#rides.set(rideId, { ...locked, stops });
  }

  /** Sets the seats of each leg of a ride; the table refuses fewer than are taken. */
  setSeats(rideId: string, seats: number): void {
    this.#saveStops(
      rideId,
      this.stops(rideId).map((stop) => ({ ...stop, seats })),
    );
  }

  /** Takes seats on every leg from a booking's pick-up to its drop-off; false where a leg has too few. */
  claimSeats(rideId: string, bookingId: string, seats: number): boolean {
    const stops = this.stops(rideId);
    const indexOf = (kind: StopRow['kind']) =>
      stops.findIndex((stop) => stop.bookingId === bookingId && stop.kind === kind);
    const [from, until] = [indexOf('pickup'), indexOf('dropoff')];
    const isLeg = (index: number) => from >= 0 && index >= from && index < until;
    const legs = stops.filter((_, index) => isLeg(index));
    if (legs.length === 0 || legs.some((leg) => leg.seatsTaken + seats > leg.seats)) return false;
    this.#saveStops(
      rideId,
      stops.map((stop, index) => (isLeg(index) ? { ...stop, seatsTaken: stop.seatsTaken + seats } : stop)),
    );
    return true;
  }

  /** The time that orders take of their people, and whether others of theirs overlap it. */
  get spans(): Spans {
    return this.#spans;
  }
}
