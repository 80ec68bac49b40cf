import { endedBookingStates } from '#contract/rides/moves.ts';
import {
  AnotherWasFaster,
  brokenConstraint,
  memoryOf,
  type Db,
  type TransactionMemory,
  type WritePart,
} from '../../../platform/database/db.ts';
import type { PersonRow } from '../../identity/service.ts';
import type { Plan } from '../../matching/service.ts';
import type { BookingRow, RequestRow, RideRow } from '../queries.ts';
import { Spans } from './spans.ts';
import { stopsOfPlan } from './stops.ts';
import {
  bookingRows,
  changedStops,
  droppingStops,
  enteringWaitlist,
  freeingSpans,
  leavingWaitlist,
  lockOrders,
  lockPerson,
  requestRows,
  rideRows,
  savingStops,
  takingSpans,
  type LockedRides,
  type NewWait,
  type Locking,
  type StopRow,
  type WaitRow,
} from './store.ts';
import { Written } from './written.ts';

/** What is known of a ride that is locked: its open bookings, its route and its whole waitlist. */
interface KnownRide {
  stops: readonly StopRow[];
  isChanging: boolean;
  isAnotherWayOpen: boolean;
  isPaid: boolean;
}

/** So many parts are written with all others. */
const manyParts = 6;

const placeOf = ({ rideId, requestId }: NewWait): string => `${rideId}:${requestId}`;
const isOpen = ({ state }: BookingRow): boolean => !endedBookingStates.includes(state);
/** Oldest first. */
const byAge = (a: BookingRow, b: BookingRow): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);

/** A statement that changes rows which the unit holds. */
const writesOrders = (text: string): boolean =>
  !/^\s*select\b/i.test(text) &&
  /\b(?:rides|requests|bookings|ride_stops|waitlist|order_spans|change_proposals)\b/.test(text);

/**
 * The unit of work of a transaction on orders (decision 0072): rows that it has locked, read once, changed
 * here, and written together at its end, or before any other statement of the transaction. A statement that
 * changes orders itself makes it forget what it holds: it is read anew where it is needed again.
 */
export class OrderUnit implements TransactionMemory {
  readonly #write: (parts: readonly WritePart[]) => Promise<void>;
  readonly #rides = new Map<string, KnownRide>();
  /**
   * Requests of which all places on waitlists are known, and all bookings but older ones, and ones on rides
   * that are not locked, that ended before their passenger had joined.
   */
  readonly #requests = new Set<string>();
  /** By ride and request. */
  readonly #waiting = new Map<string, WaitRow>();
  readonly #leftWaitlist = new Map<string, NewWait>();
  readonly #enteredWaitlist = new Map<string, NewWait>();
  readonly #savedStops = new Map<string, readonly StopRow[]>();
  /** What was told of people with the locks: it is not locked itself. */
  readonly #people = new Map<string, PersonRow>();
  /** By ride and passenger: whether there is no block between the driver and the passenger. */
  readonly #free = new Map<string, boolean>();
  /** By ride and request: whether their owners may see each other's. */
  readonly #inSight = new Map<string, boolean>();
  #spans = new Spans();
  readonly #lockedPeople = new Set<string>();
  readonly #rows = {
    rides: new Written(rideRows),
    requests: new Written(requestRows),
    bookings: new Written(bookingRows, ({ version }) => version),
  };

  constructor(write: (parts: readonly WritePart[]) => Promise<void>) {
    this.#write = write;
  }

  beforeStatement(text: string): Promise<void> | null {
    if (/^\s*rollback\b/i.test(text)) {
      this.#forget();
      return null;
    }
    const isForeign = writesOrders(text);
    const parts = this.takeParts();
    if (isForeign) this.#forget();
    return parts.length === 0 ? null : this.#write(parts).catch(throwOverlap);
  }

  takeParts(): WritePart[] {
    const routes = [...this.#savedStops].map(([rideId, before]) => ({
      rideId,
      before,
      after: this.#rides.get(rideId)!.stops,
    }));
    const stops = routes.flatMap(changedStops);
    const shorter = routes.filter(({ before, after }) => before.length > after.length);
    const { rides, requests, bookings } = this.#rows;
    const { moved, freed } = this.#spans.takeMoved();
    const left = [...this.#leftWaitlist.values()];
    const entered = [...this.#enteredWaitlist.values()];
    const are = [!rides.isWritten, !requests.isWritten, !bookings.isWritten];
    const areLists = [stops, shorter, moved, freed, left, entered].map(({ length }) => length > 0);
    // Of many parts all are written, the empty ones too: each combination is a statement with its own plan.
    const isWhole = [...are, ...areLists].filter(Boolean).length >= manyParts;
    const isAny = ({ length }: readonly unknown[]) => isWhole || length > 0;
    const parts = [
      ...rides.takeParts(isWhole),
      ...requests.takeParts(isWhole),
      ...bookings.takeParts(isWhole),
      ...(isAny(shorter) ? [droppingStops(shorter)] : []),
      ...(isAny(stops) ? [savingStops(stops)] : []),
      ...(isAny(moved) ? [takingSpans(moved)] : []),
      ...(isAny(freed) ? [freeingSpans(freed)] : []),
      ...(isAny(left) ? [leavingWaitlist(left)] : []),
      ...(isAny(entered) ? [enteringWaitlist(entered)] : []),
    ];
    this.#savedStops.clear();
    this.#leftWaitlist.clear();
    this.#enteredWaitlist.clear();
    return parts;
  }

  /** Locks a ride and its requests, and reads what decides about them (`store.lockRide`). */
  async lockRide(tx: Db, id: string, beside: readonly string[]): Promise<RideRow | null> {
    const known = this.ride(id);
    if (known !== null && beside.every((each) => this.#requests.has(each))) return known;
    await this.lock(tx, { rideIds: [id], beside, inSight: [] });
    return this.ride(id);
  }

  /** The same for several rides by one statement, in the order of their ids. */
  async lockRides(tx: Db, ids: readonly string[]): Promise<void> {
    const unknown = ids.filter((id) => this.ride(id) === null).toSorted();
    if (unknown.length === 0) return;
    await this.lock(tx, { rideIds: unknown, beside: [], inSight: [] });
  }

  /** Makes the orders of one person wait for each other until the transaction ends. */
  async lockPerson(tx: Db, personId: string): Promise<void> {
    if (this.#lockedPeople.has(personId)) return;
    await lockPerson(tx, personId);
    this.#lockedPeople.add(personId);
  }

  /** The same for a ride and a request; whether their owners may see each other's. */
  async lockInSight(tx: Db, rideId: string, requestId: string): Promise<boolean> {
    const known = this.#inSight.get(`${rideId}:${requestId}`);
    if (known !== undefined && this.ride(rideId) !== null) return known;
    await this.lock(tx, {
      rideIds: [rideId],
      beside: [requestId],
      inSight: [{ rideId, requestId }],
    });
    return this.#inSight.get(`${rideId}:${requestId}`)!;
  }

  /** Locks several rides and their requests at once. */
  async lock(tx: Db, locking: Locking): Promise<void> {
    this.#take(locking, await lockOrders(tx, locking));
  }

  #take({ inSight }: Locking, { orders, people, blocks, paid, areInSight }: LockedRides): void {
    for (const [place, { rideId, requestId }] of inSight.entries())
      this.#inSight.set(`${rideId}:${requestId}`, areInSight![place]!);
    if (orders === null) return;
    const rides = orders.rides.map((row) => this.#rows.rides.read(row));
    const requests = orders.requests.map((row) => this.#rows.requests.read(row));
    for (const row of orders.bookings) this.#rows.bookings.read(row);
    for (const { id } of requests) this.#requests.add(id);
    for (const row of orders.waiting) this.#waiting.set(placeOf(row), row);
    const stops = Map.groupBy(orders.stops, ({ rideId }) => rideId);
    const changing = new Map(orders.changing.map((each) => [each.rideId, each]));
    for (const { id } of rides)
      this.#rides.set(id, {
        stops: stops.get(id) ?? [],
        isChanging: changing.has(id),
        isAnotherWayOpen: changing.get(id)?.isAnotherWay === true,
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
    this.#requests.clear();
    this.#waiting.clear();
    this.#leftWaitlist.clear();
    this.#enteredWaitlist.clear();
    this.#savedStops.clear();
    this.#spans = new Spans();
    this.#people.clear();
    this.#free.clear();
    this.#lockedPeople.clear();
    this.#inSight.clear();
    for (const rows of Object.values(this.#rows)) rows.forget();
  }

  /** People of the orders; null where one of them is not known. */
  #peopleOf(ids: readonly string[]): PersonRow[] | null {
    const known = ids.flatMap((id) => this.#people.get(id) ?? []);
    return known.length === ids.length ? known : null;
  }

  /** Whether neither side of a ride has blocked the other, and none is suspended; null where not known. */
  standingOf(rideId: string, passengerId: string): { isFree: boolean; areActive: boolean } | null {
    const ride = this.ride(rideId);
    const both = ride === null ? null : this.#peopleOf([ride.driverId, passengerId]);
    const isFree = this.#free.get(`${rideId}:${passengerId}`);
    if (both === null || isFree === undefined) return null;
    return { isFree, areActive: !both.some(({ isSuspended }) => isSuspended) };
  }

  ride = (id: string): RideRow | null => this.#rows.rides.get(id);
  request = (id: string): RequestRow | null => this.#rows.requests.get(id);
  booking = (id: string): BookingRow | null => this.#rows.bookings.get(id);

  /** The bookings of some requests, oldest first (`#requests`); null where they are not known. */
  bookingsOfRequests(ids: readonly string[]): BookingRow[] | null {
    if (!ids.every((id) => this.#requests.has(id))) return null;
    return this.#rows.bookings
      .all()
      .filter(({ requestId }) => ids.includes(requestId))
      .toSorted(byAge);
  }

  /** The open bookings of a ride, oldest first; null where they are not known. */
  openBookings(rideId: string): BookingRow[] | null {
    if (!this.#rides.has(rideId)) return null;
    return this.#rows.bookings
      .all()
      .filter((booking) => booking.rideId === rideId && isOpen(booking))
      .toSorted(byAge);
  }

  stops = (rideId: string): readonly StopRow[] | null => this.#rides.get(rideId)?.stops ?? null;

  /** The stops, each with the booking and the request that it serves; null where they are not known. */
  stopsServed(rideId: string) {
    const stops = this.stops(rideId);
    if (stops === null) return null;
    const served = stops.map((stop) => {
      const booking = stop.bookingId === null ? null : this.booking(stop.bookingId);
      return { stop, booking, request: booking === null ? null : this.request(booking.requestId) };
    });
    const areKnown = served.every(({ stop, request }) => stop.bookingId === null || request !== null);
    return areKnown ? served : null;
  }

  isChanging = (rideId: string): boolean | null => this.#rides.get(rideId)?.isChanging ?? null;
  /** Whether an open booking of the ride had a payment; null where that is not known. */
  isPaid = (rideId: string): boolean | null => this.#rides.get(rideId)?.isPaid ?? null;
  isAnotherWayOpen = (rideId: string): boolean | null => this.#rides.get(rideId)?.isAnotherWayOpen ?? null;

  /** Who waits for a ride, first come first; null where that is not known. */
  waitingFor(rideId: string): WaitRow[] | null {
    if (!this.#rides.has(rideId)) return null;
    return [...this.#waiting.values()]
      .filter((each) => each.rideId === rideId)
      .toSorted((a, b) => a.id - b.id);
  }

  /** The places of a request on all waitlists; null where they are not known. */
  waitsOf(requestId: string): WaitRow[] | null {
    if (!this.#requests.has(requestId)) return null;
    return [...this.#waiting.values()].filter((each) => each.requestId === requestId);
  }

  /** Takes places off waitlists. */
  stopWaiting(places: readonly WaitRow[]): void {
    for (const place of places) {
      this.#waiting.delete(placeOf(place));
      // One that is not written yet is not written at all.
      if (!this.#enteredWaitlist.delete(placeOf(place))) this.#leftWaitlist.set(placeOf(place), place);
    }
  }

  /** Puts a request at the end of a waitlist; null where that is not known. */
  startWaiting(place: NewWait): true | null {
    if (!this.#rides.has(place.rideId) || !this.#requests.has(place.requestId)) return null;
    if (this.#waiting.has(placeOf(place))) return true;
    if (this.#leftWaitlist.has(placeOf(place))) return null;
    // Behind all that are written: the database draws the id.
    this.#waiting.set(placeOf(place), { ...place, id: Number.MAX_SAFE_INTEGER });
    this.#enteredWaitlist.set(placeOf(place), place);
    return true;
  }

  /** A ride that this transaction publishes: there is nothing yet that belongs to it. */
  insertRide(values: Partial<RideRow>): RideRow {
    const ride = this.#rows.rides.insert(rideRows.complete(values));
    this.#rides.set(ride.id, {
      stops: [],
      isChanging: false,
      isAnotherWayOpen: false,
      isPaid: false,
    });
    return ride;
  }

  /** The same for a request. */
  insertRequest(values: Partial<RequestRow>): RequestRow {
    const request = this.#rows.requests.insert(requestRows.complete(values));
    this.#requests.add(request.id);
    return request;
  }

  /** A booking of a ride and a request that are locked; null where they are not. */
  insertBooking(values: Partial<BookingRow> & Pick<BookingRow, 'rideId' | 'requestId'>): BookingRow | null {
    if (!this.#rides.has(values.rideId) || !this.#requests.has(values.requestId)) return null;
    return this.#rows.bookings.insert(bookingRows.complete(values));
  }

  changeRide = (id: string, set: Partial<RideRow>): RideRow | null => this.#rows.rides.change(id, set);
  changeRequest = (id: string, set: Partial<RequestRow>): RequestRow | null =>
    this.#rows.requests.change(id, set);
  changeBooking = (id: string, set: Partial<BookingRow>): BookingRow | null =>
    this.#rows.bookings.change(id, set);

  /** Replaces the route; false where it is not known, or serves a booking that is not. */
  savePlan(rideId: string, plan: Plan): boolean {
    const known = this.#rides.get(rideId);
    if (known === undefined) return false;
    const served = plan.stops.flatMap(({ bookingId }) => bookingId ?? []);
    if (!served.every((id) => this.booking(id) !== null)) return false;
    const stops = stopsOfPlan(rideId, plan);
    this.#saveStops(rideId, stops);
    for (const id of new Set(served)) {
      const at = (kind: StopRow['kind']) =>
        stops.findLast((stop) => stop.bookingId === id && stop.kind === kind)?.at;
      const { pickupAt, dropoffAt } = this.booking(id)!;
      this.changeBooking(id, { pickupAt: at('pickup') ?? pickupAt, dropoffAt: at('dropoff') ?? dropoffAt });
    }
    this.changeRide(rideId, { departsAt: stops[0]!.at, arrivesAt: stops.at(-1)!.at });
    const { nextAt, departsAt } = this.ride(rideId)!;
    // Written anew, the clock looks at it again: an empty ride may have to put off its departure.
    if (served.length === 0 && nextAt !== null && nextAt > departsAt)
      this.#rows.rides.touch(rideId, 'departsAt');
    return true;
  }

  #saveStops(rideId: string, stops: readonly StopRow[]): void {
    const known = this.#rides.get(rideId)!;
    if (!this.#savedStops.has(rideId)) this.#savedStops.set(rideId, known.stops);
    this.#rides.set(rideId, { ...known, stops });
  }

  /** Sets the seats of each leg; false where the route is not known. */
  setSeats(rideId: string, seats: number): boolean {
    const stops = this.stops(rideId);
    if (stops === null) return false;
    this.#saveStops(
      rideId,
      stops.map((stop) => ({ ...stop, seats })),
    );
    return true;
  }

  /** Takes seats on every leg of a booking; false where one has too few, null for an unknown route. */
  claimSeats(rideId: string, bookingId: string, seats: number): boolean | null {
    const stops = this.stops(rideId);
    if (stops === null) return null;
    const place = (kind: StopRow['kind']) =>
      stops.findIndex((stop) => stop.bookingId === bookingId && stop.kind === kind);
    const [from, until] = [place('pickup'), place('dropoff')];
    const isLeg = (index: number) => from >= 0 && index >= from && index < until;
    const legs = stops.filter((_, index) => isLeg(index));
    if (legs.length === 0 || legs.some((leg) => leg.seatsTaken + seats > leg.seats)) return false;
    this.#saveStops(
      rideId,
      stops.map((stop, index) => (isLeg(index) ? { ...stop, seatsTaken: stop.seatsTaken + seats } : stop)),
    );
    return true;
  }

  /** What the order takes of its person's time, and whether others of theirs are in the way. */
  get spans(): Spans {
    return this.#spans;
  }
}

/** Another transaction has taken the time of one of the people since the spans were read. */
function throwOverlap(error: unknown): never {
  throw brokenConstraint(error) === 'order_spans_no_overlap' ? new AnotherWasFaster(error) : error;
}

/** The unit of work of a transaction; null where `tx` is none: each statement commits by itself then. */
export const unitOf = (tx: Db): OrderUnit | null => memoryOf(tx, OrderUnit);
