/** A passenger’s offer is above this many cents a person. */
export const minimumOfferCents = 5_00;
/** The smallest amount that card providers charge, and so the lowest price of a ride that is not free. */
export const minimumPriceCents = 50;
export const isOfferTooLow = (offerCents: number): boolean => offerCents <= minimumOfferCents;
/** Zero is allowed: the ride is free. */
export const isPriceTooLow = (costCents: number): boolean => costCents > 0 && costCents < minimumPriceCents;
