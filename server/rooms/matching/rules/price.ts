/** What one booking pays when it joins a ride now, whole cents for all its seats. */
export function shareCents(
  ride: { priceKind: 'perPerson' | 'perCar'; costCents: number },
  seats: number,
  seatsAlreadyJoined: number,
): number {
  if (ride.priceKind === 'perPerson') return ride.costCents * seats;
  return Math.ceil((ride.costCents * seats) / (seatsAlreadyJoined + seats));
}

/**
 * A car's price divided among bookings by their seats, to the cent: the parts add up to the price exactly, odd cents
 * go to those who joined first.
 */
export function splitCarPrice(costCents: number, seatsOfBookings: readonly number[]): number[] {
  const seats = seatsOfBookings.reduce((sum, each) => sum + each, 0);
  if (seats === 0) return [];
  const parts = seatsOfBookings.map((each) => Math.floor((costCents * each) / seats));
  let odd = costCents - parts.reduce((sum, each) => sum + each, 0);
  return parts.map((part) => (odd-- > 0 ? part + 1 : part));
}

/** A ride suits an offer when one person's share is not above it; an open offer suits every ride. */
export const withinOffer = (fareCents: number, seats: number, offerCents: number | null): boolean =>
  offerCents === null || fareCents <= offerCents * seats;
