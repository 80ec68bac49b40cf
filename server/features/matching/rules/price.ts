/** One booking's price if the ride were driven with its present passengers, whole cents for all its seats. */
export function shareCents(
  ride: { priceKind: 'perPerson' | 'perCar'; costCents: number },
  seats: number,
  seatsAlreadyJoined: number,
): number {
  if (ride.priceKind === 'perPerson') return ride.costCents * seats;
  return Math.ceil((ride.costCents * seats) / (seatsAlreadyJoined + seats));
}

/**
 * The most that one booking may pay for all its seats, which is agreed at joining and authorized: the whole
 * of a price per car, for a person who rides alone, and never more than was offered.
 */
export function ceilingCents(
  ride: { priceKind: 'perPerson' | 'perCar'; costCents: number },
  seats: number,
  offerCents: number | null,
): number {
  if (ride.priceKind === 'perPerson') return ride.costCents * seats;
  return offerCents === null ? ride.costCents : Math.min(ride.costCents, offerCents * seats);
}

/** A booking's part of a price per car when all these seats are ridden in; at most its ceiling. */
export function leastShareCents(
  ride: { priceKind: 'perPerson' | 'perCar'; costCents: number },
  { seats, ceiling, seatsInAll }: { seats: number; ceiling: number; seatsInAll: number },
): number {
  if (ride.priceKind === 'perPerson') return ceiling;
  return Math.min(ceiling, Math.floor((ride.costCents * seats) / Math.max(seats, seatsInAll)));
}

/** A ride suits an offer when one person's share is not above it; an open offer suits every ride. */
export const withinOffer = (fareCents: number, seats: number, offerCents: number | null): boolean =>
  offerCents === null || fareCents <= offerCents * seats;
