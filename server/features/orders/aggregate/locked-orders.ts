import { endedBookingStates, openAskStates } from '#contract/rides/moves.ts';
import type { Platform } from '../../../platform/platform.ts';
import { AnotherWasFaster, brokenConstraint, inSavepoint, type Db } from '../../../platform/database/db.ts';
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
  lockOrders,
  lockPerson,
  requestRows,
  rideRows,
  savingStops,
  saveOrders,
  takingSpans,
  wakingChanges,
  writingLog,
  type HistoryLine,
  type NewWait,
  type Locking,
  type StopRow,
  type WaitRow,
  type Write,
} from './store.ts';

/** A ride that is locked: its route, and what is known of its proposal and its payments. */
interface LockedRide {
  stops: readonly StopRow[];
  isAnotherWayOpen: boolean;
  isPaid: boolean;
}

/** A signal that is noted until the orders are saved. */
interface Emission<N extends SignalName = SignalName> {
  name: N;
  payload: SignalPayloads[N];
  key: string;
}

const keyOf = ({ rideId, requestId }: Pick<NewWait, 'rideId' | 'requestId'>): string =>
  `${rideId}:${requestId}`;
const isOpen = ({ state }: BookingRow): boolean => !endedBookingStates.includes(state);
/** Oldest first. */
const byAge = (a: BookingRow, b: BookingRow): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);

/**
 * The orders that a transaction has locked or publishes: rides with their requests, bookings, routes,
 * waitlists and people's time (decision 0072). They are loaded once, changed here, and saved together: by
 * `save` at the end, and by `db` before a statement of the transaction that is not of this class.
 */
export class LockedOrders {
  readonly #tx: Db;
  readonly #outbox: Platform['outbox'];
  readonly #rides = new Map<string, LockedRide>();
  /** By ride and request. */
  readonly #waiting = new Map<string, WaitRow>();
  readonly #leftWaitlist = new Map<string, NewWait>();
  readonly #enteredWaitlist = new Map<string, NewWait>();
  readonly #savedStops = new Map<string, readonly StopRow[]>();
  /** The drivers and passengers, who are not locked themselves. */
  readonly #people = new Map<string, RiderFacts>();
  /** By ride and passenger: whether there is no block between the driver and the passenger. */
  readonly #free = new Map<string, boolean>();
  /** By ride and request: whether their owners may see each other's. */
  readonly #inSight = new Map<string, boolean>();
  readonly #rows = {
    rides: new ChangedRows(rideRows),
    requests: new ChangedRows(requestRows),
    bookings: new ChangedRows(bookingRows, ({ version }) => version),
  };
  #spans = new Spans();
  readonly #lockedPeople = new Set<string>();
  #history: HistoryLine[] = [];
  #emissions: Emission[] = [];
  #effects: ((db: Db) => Promise<unknown>)[] = [];
  /** Rides whose open proposals the scheduler is to check, and when. */
  readonly #wokenChanges = new Map<string, Date>();

  constructor(tx: Db, outbox: Platform['outbox']) {
    this.#tx = tx;
    this.#outbox = outbox;
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

  /** The transaction, for a statement of another table or feature: what has changed is saved before it. */
  async db(): Promise<Db> {
    await this.save();
    return this.#tx;
  }

  /**
   * The transaction, for a statement that changes orders itself: they are saved before it, and the loaded
   * rows are dropped, so that a lock loads them again.
   */
  async dbForOrders(): Promise<Db> {
    await this.save();
    this.#forget();
    return this.#tx;
  }

  /**
   * Runs `work` in a savepoint. Where it fails, its changes are undone, and all orders are loaded again where
   * they are needed.
   */
  async inSavepoint<T>(work: () => Promise<T>): Promise<T> {
    await this.save();
    try {
      return await inSavepoint(this.#tx, async () => {
        const made = await work();
        await this.save();
        return made;
      });
    } catch (error) {
      this.#history = [];
      this.#emissions = [];
      this.#effects = [];
      this.#wokenChanges.clear();
      this.#forget();
      throw error;
    }
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

  /**
   * Writes what has changed by one statement: rows, routes, time, waitlists, history and signals. A statement
   * before it ends bookings and frees stops, time and places on waitlists, so that others may take them; the
   * two are sent together.
   * @throws AnotherWasFaster where another transaction has changed a booking since, or taken a person's time
   */
  async save(): Promise<void> {
    const { removals, writes } = this.#takeWrites();
    const effects = this.#effects.splice(0);
    await Promise.all([saveOrders(this.#tx, removals), saveOrders(this.#tx, writes)]).catch(
      (error: unknown) => {
        throw brokenConstraint(error) === 'order_spans_no_overlap' ? new AnotherWasFaster(error) : error;
      },
    );
    for (const effect of effects) await effect(this.#tx);
  }

  #takeWrites(): { removals: Write[]; writes: Write[] } {
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
    const emissions = [...this.#emissions.splice(0), ...this.#noteWritten()];
    const woken = [...this.#wokenChanges];
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
      ...(emissions.length > 0 ? [writingLog(this.#outbox.logRowsOf(emissions))] : []),
    ];
    return { removals, writes };
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

  /**
   * Locks a ride until the transaction ends, and loads what decides about it. Null where there is none.
   *
   * The order of locks, everywhere: the ride, then every request it concerns by id, then bookings.
   * Transactions that follow it never deadlock. The lock on a ride includes those on its requests: of its
   * open bookings, of its waitlist, and of `requestIds`, which are about to have a booking of it. A request
   * without a ride is locked alone.
   */
  async lockRide(id: string, requestIds: readonly string[] = []): Promise<RideRow | null> {
    const known = this.ride(id);
    if (known !== null && requestIds.every((each) => this.request(each) !== null)) return known;
    await this.#lock({ rideIds: [id], requestIds, inSight: [] });
    return this.ride(id);
  }

  /** Locks and loads several rides by one statement, in the order of their ids. */
  async lockRides(ids: readonly string[]): Promise<void> {
    const unknown = ids.filter((id) => this.ride(id) === null).toSorted();
    if (unknown.length > 0) await this.#lock({ rideIds: unknown, requestIds: [], inSight: [] });
  }

  /** Locks a request, without the rides that it has bookings of. Null where there is none. */
  async lockRequest(id: string): Promise<RequestRow | null> {
    if (this.request(id) === null) await this.#lock({ rideIds: [], requestIds: [id], inSight: [] });
    return this.request(id);
  }

  /**
   * Locks a ride and a request for a booking of the two, and says whether their owners may see each other's;
   * null where one of them is missing.
   */
  async lockInSight({
    rideId,
    requestId,
  }: {
    rideId: string;
    requestId: string;
  }): Promise<{ ride: RideRow; request: RequestRow; areInSight: boolean } | null> {
    const pair = { rideId, requestId };
    if (!this.#inSight.has(keyOf(pair)) || this.ride(rideId) === null)
      await this.#lock({ rideIds: [rideId], requestIds: [requestId], inSight: [pair] });
    const [ride, request] = [this.ride(rideId), this.request(requestId)];
    const areInSight = this.#inSight.get(keyOf(pair)) === true;
    return ride === null || request === null ? null : { ride, request, areInSight };
  }

  /** Makes the orders of one person wait for each other until the transaction ends. */
  async lockPerson(personId: string): Promise<void> {
    if (this.#lockedPeople.has(personId)) return;
    await lockPerson(this.#tx, personId);
    this.#lockedPeople.add(personId);
  }

  async #lock(locking: Locking): Promise<void> {
    await this.save();
    const { orders, people, blocks, paid, areInSight } = await lockOrders(this.#tx, locking);
    for (const [index, pair] of locking.inSight.entries())
      this.#inSight.set(keyOf(pair), areInSight![index]!);
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

  #forget(): void {
    this.#rides.clear();
    this.#waiting.clear();
    this.#leftWaitlist.clear();
    this.#enteredWaitlist.clear();
    this.#savedStops.clear();
    this.#spans = new Spans();
    this.#people.clear();
    this.#free.clear();
    this.#inSight.clear();
    this.#lockedPeople.clear();
    for (const rows of Object.values(this.#rows)) rows.forget();
  }

  ride = (id: string): RideRow | null => this.#rows.rides.get(id);
  request = (id: string): RequestRow | null => this.#rows.requests.get(id);
  booking = (id: string): BookingRow | null => this.#rows.bookings.get(id);

  /** The rows loaded with a locked ride. @throws Error where it is not locked */
  #routeOf(id: string): LockedRide {
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

/** Runs `work` on orders in the caller's transaction, and saves them at its end. */
export async function changeOrdersIn<T>(
  tx: Db,
  { outbox }: Pick<Platform, 'outbox'>,
  work: (orders: LockedOrders) => Promise<T>,
): Promise<T> {
  const orders = new LockedOrders(tx, outbox);
  const made = await work(orders);
  await orders.save();
  return made;
}

/**
 * Runs `work` on orders in one transaction, and saves them at its end.
 * @param name the step of its action, as of `Transact`
 * @param queue commands with the same name wait for each other in this process, without a connection each
 */
export const changeOrders = <T>(
  platform: Pick<Platform, 'transact' | 'outbox'>,
  name: string,
  work: (orders: LockedOrders) => Promise<T>,
  queue?: string,
): Promise<T> => platform.transact(name, (tx) => changeOrdersIn(tx, platform, work), queue);
