/** A passenger’s offer is above this many cents a person. */
export const minimumOfferCents = 5_00;
/** The smallest amount that card providers charge, and so the lowest price of a ride that is not free. */
export const minimumPriceCents = 50;
export const isOfferTooLow = (offerCents: number): boolean => offerCents <= minimumOfferCents;

interface Priced {
  priceKind: 'perPerson' | 'perCar';
  costCents: number;
  seats: number;
}

/**
 * The lowest price of a ride that is not free: of a car, each of its seats must still pay what card providers
 * charge.
 */
export const lowestPriceCents = ({ priceKind, seats }: Pick<Priced, 'priceKind' | 'seats'>): number =>
  priceKind === 'perCar' ? minimumPriceCents * seats : minimumPriceCents;

/** Zero is allowed: the ride is free. */
export const isPriceTooLow = (ride: Priced): boolean =>
  ride.costCents > 0 && ride.costCents < lowestPriceCents(ride);
