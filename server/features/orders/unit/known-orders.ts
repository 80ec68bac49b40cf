import { LatestKept } from '../../../platform/latest-kept.ts';
import type { BookingRow, RequestRow, RideRow } from '../queries.ts';

/** A row, and the transaction that wrote it: the two name one version of it. */
export interface Known<Row> {
  xid: string;
  row: Row;
}

/** Rows of orders by their ids. */
export interface KnownRows {
  rides: Map<string, Known<RideRow>>;
  requests: Map<string, Known<RequestRow>>;
  bookings: Map<string, Known<BookingRow>>;
}

/** The meeting points of a request, as of one of its versions of them. */
export type Spots = Pick<RequestRow, 'meetingPointsVersion' | 'pickupMeetingPoints' | 'dropoffMeetingPoints'>;

/** So many rows of a kind are kept, and as many that were kept before them. */
const mostRows = 5000;

/** Rows that this process has read when it locked them, so that the database need not send them again. */
export class KnownOrders {
  /** The run of the database that gave transactions and meeting points their numbers; at first empty. */
  #run = '';
  #rides = new LatestKept<string, Known<RideRow>>(mostRows);
  #requests = new LatestKept<string, Known<RequestRow>>(mostRows);
  #bookings = new LatestKept<string, Known<BookingRow>>(mostRows);
  #spots = new LatestKept<string, Spots>(mostRows);
  /** The requests with bookings of a ride, and the bookings of a request. */
  readonly #requestsOf = new LatestKept<string, readonly string[]>(mostRows);
  readonly #bookingsOf = new LatestKept<string, readonly string[]>(mostRows);

  get run(): string {
    return this.#run;
  }

  /** What is known of rides with their requests, of more requests, and of the bookings of them all. */
  of(rideIds: readonly string[], beside: readonly string[]): KnownRows {
    const requestIds = new Set([...rideIds.flatMap((id) => this.#requestsOf.known(id) ?? []), ...beside]);
    const bookingIds = [...requestIds].flatMap((id) => this.#bookingsOf.known(id) ?? []);
    return {
      rides: knownOf(this.#rides, rideIds),
      requests: knownOf(this.#requests, requestIds),
      bookings: knownOf(this.#bookings, bookingIds),
    };
  }

  /** Forgets what is of another run of the database than this one: numbers may be given again. */
  follow(run: string): void {
    if (run === this.#run) return;
    const isFirst = this.#run === '';
    this.#run = run;
    if (isFirst) return;
    this.#rides = new LatestKept(mostRows);
    this.#requests = new LatestKept(mostRows);
    this.#bookings = new LatestKept(mostRows);
    this.#spots = new LatestKept(mostRows);
  }

  /** The meeting points of a request as they were read last, of whichever version; undefined where never. */
  spotsOf = (requestId: string): Spots | undefined => this.#spots.known(requestId);

  keepSpots(
    requestId: string,
    { meetingPointsVersion, pickupMeetingPoints, dropoffMeetingPoints }: Spots,
  ): void {
    this.#spots.keep(requestId, { meetingPointsVersion, pickupMeetingPoints, dropoffMeetingPoints });
  }

  /**
   * Keeps rows that have been locked together, as they were before their transaction wrote any.
   * @param run of the database; what is of another one is forgotten
   */
  keep(run: string, { rides, requests, bookings }: KnownRows): void {
    this.follow(run);
    for (const [id, ride] of rides) this.#rides.keep(id, ride);
    for (const [id, request] of requests) this.#requests.keep(id, request);
    for (const [id, booking] of bookings) this.#bookings.keep(id, booking);
    const rows = [...bookings.values()].map(({ row }) => row);
    for (const [id, of] of Map.groupBy(rows, ({ requestId }) => requestId))
      this.#bookingsOf.keep(
        id,
        of.map((booking) => booking.id),
      );
    const ofRides = Map.groupBy(rows, ({ rideId }) => rideId);
    for (const id of rides.keys()) {
      const requestIds = (ofRides.get(id) ?? []).map(({ requestId }) => requestId);
      this.#requestsOf.keep(id, [...new Set(requestIds)]);
    }
  }
}

function knownOf<Row>(kept: LatestKept<string, Known<Row>>, ids: Iterable<string>): Map<string, Known<Row>> {
  const known = new Map<string, Known<Row>>();
  for (const id of ids) {
    const row = kept.known(id);
    if (row !== undefined) known.set(id, row);
  }
  return known;
}
