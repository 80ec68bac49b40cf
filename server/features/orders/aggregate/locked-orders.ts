import type { Platform } from '../../../platform/platform.ts';
import { AnotherWasFaster, brokenConstraint, inSavepoint, type Db } from '../../../platform/database/db.ts';
import type { RequestRow, RideRow } from '../queries.ts';
import { keyOf, Orders } from './orders.ts';
import { lockOrders, lockPerson, saveOrders, writingLog, type Locking } from './store.ts';

/**
 * The orders that a transaction has locked or publishes (decision 0072). They are loaded once, changed in
 * memory, and saved together: by `save` at the end, and by `db` before a statement of the transaction that is
 * not of this class.
 */
export class LockedOrders extends Orders {
  readonly #tx: Db;
  readonly #outbox: Platform['outbox'];
  /** By ride and request: whether their owners may see each other's. */
  readonly #inSight = new Map<string, boolean>();
  readonly #lockedPeople = new Set<string>();

  constructor(tx: Db, outbox: Platform['outbox']) {
    super();
    this.#tx = tx;
    this.#outbox = outbox;
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
    this.forget();
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
      this.takeChanges();
      this.forget();
      throw error;
    }
  }

  /**
   * Writes what has changed by one statement: rows, routes, time, waitlists, history and signals. A statement
   * before it ends bookings and frees stops, time and places on waitlists, so that others may take them; the
   * two are sent together.
   * @throws AnotherWasFaster where another transaction has changed a booking since, or taken a person's time
   */
  async save(): Promise<void> {
    const { removals, writes, emissions, effects } = this.takeChanges();
    if (emissions.length > 0) writes.push(writingLog(this.#outbox.logRowsOf(emissions)));
    await Promise.all([saveOrders(this.#tx, removals), saveOrders(this.#tx, writes)]).catch(
      (error: unknown) => {
        throw brokenConstraint(error) === 'order_spans_no_overlap' ? new AnotherWasFaster(error) : error;
      },
    );
    for (const effect of effects) await effect(this.#tx);
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
    const loaded = await lockOrders(this.#tx, locking);
    for (const [index, pair] of locking.inSight.entries())
      this.#inSight.set(keyOf(pair), loaded.areInSight![index]!);
    this.read(loaded);
  }

  override forget(): void {
    super.forget();
    this.#inSight.clear();
    this.#lockedPeople.clear();
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
