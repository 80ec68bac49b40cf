/** What a person weighs when picking among rides that fit, in minutes that feel the same. Lower is better. */
export const weights = {
  /** A minute the driver drives more: the driver minds, and may say no. */
  detourMinute: 1,
  /** A minute on foot. */
  walkMinute: 1.2,
  /** A minute between the wished and the offered pick-up. */
  waitMinute: 0.35,
  /** A minute on board beyond the direct drive. */
  slowMinute: 0.6,
  /** A dollar of the whole share. */
  dollar: 0.8,
  /** A star below five. */
  missingStar: 4,
  /** A driver nobody has reviewed yet. */
  unknownDriver: 3,
  /** The driver is a contact, or a contact of contacts. */
  contact: -12,
  contactInCommon: -2,
  verifiedDriver: -3,
};

/** Average walking speed: 80 metres a minute (4.8 km/h). */
export const walkingMetresPerMinute = 80;

export interface Facts {
  detourMs: number;
  walkMetres: number;
  waitMs: number;
  slowMs: number;
  fareCents: number;
  rating: number | null;
  isContact: boolean;
  contactsInCommon: number;
  verifiedDriver: boolean;
}

/** The score by which candidates are ordered, lowest first. */
export function scoreOf(facts: Facts): number {
  return (
    (Math.max(0, facts.detourMs) / 60_000) * weights.detourMinute +
    (facts.walkMetres / walkingMetresPerMinute) * weights.walkMinute +
    (Math.abs(facts.waitMs) / 60_000) * weights.waitMinute +
    (Math.max(0, facts.slowMs) / 60_000) * weights.slowMinute +
    (facts.fareCents / 100) * weights.dollar +
    (facts.rating === null ? weights.unknownDriver : (5 - facts.rating) * weights.missingStar) +
    (facts.isContact ? weights.contact : 0) +
    Math.min(3, facts.contactsInCommon) * weights.contactInCommon +
    (facts.verifiedDriver ? weights.verifiedDriver : 0)
  );
}
