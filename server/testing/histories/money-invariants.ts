import { endedRideStates, isAgreed } from '#contract/rides/moves.ts';
import { minimumPriceCents } from '#contract/rides/lowest-prices.ts';
import { brokenBookingsOf } from '../../features/orders/interrupted/store.ts';
import { compareBooks } from '../../features/payments/books/compare-books.ts';
import { recountSums } from '../../features/payments/sums/store.ts';
import { needOf } from '../../features/payments/service.ts';
import { dayMs } from '../../platform/clock.ts';
import { nameOf } from './deeds.ts';
import type { HistoryContext } from './history-context.ts';
import type { Seen } from './seen.ts';
import { readLedger, type Booking, type Hold, type World } from './world.ts';

/** Faults of holds, their dates, payments, and the ledger. */
export async function wrongMoney(context: HistoryContext, world: World, seen: Seen): Promise<string[]> {
  return [
    ...wrongHolds(world, seen),
    ...wrongDates(context, world),
    ...wrongFinalShares(world, seen),
    ...wrongChargebacks(world, seen),
    ...(await wrongShares(context, world)),
    ...(await wrongLedger(context, world, seen)),
  ];
}

/**
 * The sum authorized and captured is never more than the most that is owed; for the driver's fault no one
 * pays.
 */
function wrongHolds(world: World, { highestFare }: Seen): string[] {
  const found: string[] = [];
  for (const booking of world.bookings) {
    const of = world.holds.filter(({ bookingId }) => bookingId === booking.id);
    const name = `${nameOf(world, booking.id)} (${booking.state})`;
    const most = highestFare.get(booking.id) ?? 0;
    for (const hold of of) {
      if (hold.amountCents > most)
        found.push(`${name} costs ${most} ¢ at most, ${hold.amountCents} are asked for`);
    }
    const taken = of.reduce((sum, hold) => sum + hold.capturedCents, 0);
    const heldNow = of
      .filter(({ isCurrent }) => isCurrent)
      .reduce((sum, hold) => sum + hold.authorizedCents, 0);
    if (taken + heldNow > most)
      found.push(`${name} costs ${most} ¢ at most, ${taken} + ${heldNow} are taken and held`);
    // Two people said different things, and an admin has decided.
    const decided = world.disputes.find(
      ({ bookingId, resolvedById }) => bookingId === booking.id && resolvedById !== null,
    );
    const contested = of.find(({ kind, isCurrent }) => kind === 'contested' && isCurrent);
    if (contested !== undefined && decided === undefined && contested.capturedCents > 0)
      found.push(`${name} is contested, undecided and charged for`);
    const isFree =
      booking.fault === 'driver' ||
      ['rejected', 'expired'].includes(booking.state) ||
      (booking.state === 'cancel' && booking.fault === null);
    // Money that a passenger's report of the driver, or a ride in an outage, leaves in doubt stays authorized
    // until it is decided.
    const isInDoubt = (hold: (typeof of)[number]) =>
      hold.kind === 'contested' || (booking.state === 'missed' && hold.goal === 'authorize');
    const wanted = of.filter((hold) => hold.isCurrent && hold.goal !== 'cancel' && !isInDoubt(hold));
    // A person who was on board of a ride that ended on the way pays what was ridden: `wrongShares`.
    const isPartWay = booking.state === 'cancel' && of.some(({ kind }) => kind === 'partWay');
    if (isFree && !isPartWay && contested === undefined && (taken > 0 || wanted.length > 0))
      found.push(`${name} is nobody's debt and is charged for`);
  }
  return found;
}

/**
 * A passenger who has joined a paid ride is secured, or the payment says what it needs. An authorization is
 * for the time at which its ride leaves, is planned for exactly as many days before as the installation says
 * (at once where that is past), and a placed one lasts until the ride.
 */
function wrongDates({ app }: HistoryContext, world: World): string[] {
  return world.bookings.flatMap((booking) => {
    if (!isAgreed(booking) || booking.fareCents < minimumPriceCents) return [];
    const name = `${nameOf(world, booking.id)} (${booking.state})`;
    const ride = world.rides.find(({ id }) => id === booking.rideId)!;
    const hold = world.holds.find(({ bookingId, isCurrent }) => isCurrent && bookingId === booking.id);
    if (hold === undefined || hold.goal !== 'authorize') return [`${name} is paid for by nothing`];
    const departsMs = ride.departsAt.getTime();
    const found: string[] = [];
    if (hold.rideAt.getTime() !== departsMs)
      found.push(`${name} is paid for at ${hold.rideAt.toISOString()}, its ride leaves at another time`);
    if (hold.amountCents < booking.fareCents)
      found.push(`${name} may cost ${booking.fareCents} ¢, ${hold.amountCents} are asked for`);
    const wrong = wrongDate(hold, { departsMs, dueMs: departsMs - app.platform.env.HOLD_DAYS * dayMs });
    if (wrong !== null && booking.awaits !== 'payment') found.push(`${name} ${wrong}`);
    return found;
  });
}

/** The fault in the date of a hold that needs nothing; null where it is right, or says what it needs. */
function wrongDate(hold: Hold, { departsMs, dueMs }: { departsMs: number; dueMs: number }): string | null {
  if (needOf(hold) !== null) return null;
  const [nextMs, setMs] = [hold.nextAt?.getTime() ?? null, hold.updatedAt.getTime()];
  if (hold.state === 'requires_capture')
    return hold.captureBefore !== null && hold.captureBefore.getTime() <= departsMs
      ? 'has a hold that ends before the ride'
      : null;
  if (nextMs === null) return `is not secured (${hold.state}) and does not say so`;
  // It is being asked for: the provider has not answered yet.
  if (hold.isAsked) return setMs < dueMs ? 'is asked for too early' : null;
  if (hold.cardId === null) return 'is planned without a card and does not say so';
  const planned = `is held at ${new Date(nextMs).toISOString()}, not at ${new Date(dueMs).toISOString()}`;
  // A hold that was due already when it was planned is requested at once.
  return nextMs === dueMs || (dueMs <= setMs && nextMs <= setMs) ? null : planned;
}

const sumOfFees = (bookings: readonly Booking[]): number =>
  bookings.reduce((sum, { lateFeeCents }) => sum + (lateFeeCents ?? 0), 0);

/**
 * A car's price is shared once, at the end, by those who rode: what others do not owe for their places, by
 * seats and to the cent, the odd cents to those who joined first; above what a passenger has agreed to it is
 * lost. A fee stays when its driver lowers the price afterwards, or makes it the car's. Of a price for each
 * person all of it is paid.
 */
function wrongFinalShares(world: World, { ceilings, highestPrice, feesPerPerson }: Seen): string[] {
  return world.rides.flatMap((ride) => {
    if (!endedRideStates.includes(ride.state)) return [];
    const of = world.bookings.filter(({ rideId }) => rideId === ride.id);
    const riders = of.filter(({ state }) => state === 'finished');
    const name = nameOf(world, ride.id);
    const owing = of.filter(({ state }) => state !== 'finished');
    const fees = sumOfFees(owing);
    const ofCar = sumOfFees(owing.filter(({ id }) => !feesPerPerson.has(id)));
    const brought = riders.reduce((sum, { fareCents }) => sum + fareCents, 0);
    if (ride.priceKind === 'perPerson')
      return riders
        .filter(({ id, fareCents }) => fareCents !== ceilings.get(id))
        .map((rider) => `${nameOf(world, rider.id)} agreed to another price than ${rider.fareCents} ¢`);
    const left = Math.max(0, ride.costCents - fees);
    const found =
      brought > left || ofCar > highestPrice.get(ride.id)!
        ? [`${name} costs ${ride.costCents} ¢ and brings ${brought + fees} ¢`]
        : [];
    // Passengers on board where a ride ended on the way pay a part of a share: `wrongShares`.
    if (ride.state !== 'finished' || riders.length === 0) return found;
    const seats = riders.reduce((sum, rider) => sum + rider.seats, 0);
    const isCapped = riders.some((rider) => rider.fareCents >= (ceilings.get(rider.id) ?? 0));
    if (!isCapped && brought !== left) found.push(`${name} has ${left} ¢ to share and brings ${brought} ¢`);
    const inOrder = riders.toSorted((x, y) => x.joinedAt!.getTime() - y.joinedAt!.getTime());
    for (const [index, rider] of inOrder.entries()) {
      const part = Math.floor((left * rider.seats) / seats);
      const ceiling = ceilings.get(rider.id) ?? 0;
      const [least, most] = [Math.min(ceiling, part), Math.min(ceiling, part + 1)];
      if (rider.fareCents < least || rider.fareCents > most)
        found.push(`${nameOf(world, rider.id)} pays ${rider.fareCents} ¢, of ${left} ¢ ${part} are fair`);
      const next = inOrder[index + 1];
      if (
        !isCapped &&
        next?.seats === rider.seats &&
        next.joinedAt! > rider.joinedAt! &&
        next.fareCents > rider.fareCents
      )
        found.push(`${nameOf(world, rider.id)} joined before ${nameOf(world, next.id)} and pays less`);
    }
    return found;
  });
}

/** While a bank has the money, or may have it, nothing is given back on top. */
function wrongChargebacks(world: World, { refundedAtFirst }: Seen): string[] {
  return world.chargebacks.flatMap(({ id, authorizationId, state }) => {
    const hold = world.holds.find((each) => each.id === authorizationId)!;
    const isAgainstUs = !['won', 'warning_closed', 'prevented'].includes(state);
    if (!isAgainstUs || hold.refundedCents <= (refundedAtFirst.get(id) ?? hold.refundedCents)) return [];
    return [
      `${nameOf(world, hold.bookingId)} is charged back (${state}), and ${hold.refundedCents} ¢ are given back`,
    ];
  });
}

/** Of a ride that ended on the way no one pays more than the part of their share that was ridden. */
async function wrongShares({ app }: HistoryContext, world: World): Promise<string[]> {
  const partWay = world.bookings.flatMap((booking) => {
    const of = world.holds.filter(({ bookingId, kind }) => bookingId === booking.id && kind === 'partWay');
    return of.length === 0 ? [] : [{ booking, of }];
  });
  if (partWay.length === 0) return [];
  const rows = await brokenBookingsOf(
    app.platform.db,
    partWay.map(({ booking }) => booking.rideId),
  );
  return partWay.flatMap(({ booking, of }) => {
    const row = rows.find(({ bookingId }) => bookingId === booking.id);
    const name = nameOf(world, booking.id);
    if (row === undefined) return [`${name} is charged for a part of a way that nobody has measured`];
    const most = Math.floor((booking.fareCents * row.riddenMetres) / Math.max(1, row.routeMetres));
    const due = row.decidedCents ?? row.shareCents;
    const wanted = of.flatMap(({ isCurrent, goal, captureCents }) =>
      isCurrent && goal === 'capture' ? [captureCents] : [],
    );
    const net = of.reduce((sum, hold) => sum + hold.capturedCents - hold.refundedCents, 0);
    return [
      ...(row.shareCents > most ? [`${name} has ridden ${most} ¢ and owes ${row.shareCents}`] : []),
      ...wanted
        .filter((cents) => cents > due)
        .map((cents) => `${name} owes ${due} ¢, ${cents} are to be taken`),
      ...(net > row.shareCents ? [`${name} owes ${row.shareCents} ¢, ${net} are taken`] : []),
    ];
  });
}

/** Every entry sums to zero, and the ledger says what the holds say. */
async function wrongLedger(context: HistoryContext, world: World, { ledgerBefore }: Seen): Promise<string[]> {
  const { unbalanced, sum, authorizedCents, capturedCents } = await readLedger(context, ledgerBefore);
  const held = world.holds.reduce((cents, hold) => cents + hold.authorizedCents, 0);
  const taken = world.holds.reduce((cents, hold) => cents + hold.capturedCents - hold.refundedCents, 0);
  return [
    ...unbalanced.map((entry) => `the entry ${entry} does not sum to zero`),
    ...(sum === 0 ? [] : [`the ledger sums to ${sum} ¢`]),
    ...(authorizedCents === held ? [] : [`the ledger holds ${authorizedCents} ¢, the holds ${held} ¢`]),
    ...(capturedCents === taken ? [] : [`the ledger took ${capturedCents} ¢, the holds ${taken} ¢`]),
  ];
}

/** Differences between the ledger and the provider, while nothing is on its way between them. */
export async function wrongSums({ app }: HistoryContext): Promise<string[]> {
  const books = await compareBooks(app.platform);
  if (!(await recountSums(app.platform.db, app.platform.payments.provider.kind)))
    return ['the sums of the ledger are not those of its lines'];
  const isClosed = books !== null && Object.values(books.openCents).every((cents) => cents === 0);
  return isClosed && books.ledgerCents === books.providerCents
    ? []
    : [`the ledger is not the provider's balance: ${JSON.stringify(books)}`];
}
