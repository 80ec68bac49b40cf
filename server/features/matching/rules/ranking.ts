import { walkingMetresPerMinute } from '#contract/units.ts';

/** What a person weighs when picking among those that fit, in minutes that feel the same. Lower is better. */
export const weights = {
  /** A minute the driver drives more: the driver minds. */
  detourMinute: 1,
  /** A minute on foot. */
  walkMinute: 1.2,
  /** A minute between the wished and the offered pick-up. */
  waitMinute: 0.35,
  /** A minute on board beyond the direct drive. */
  slowMinute: 0.6,
  /** One likes it quiet, the other has not said so. */
  notQuiet: 4,
  /** A dollar of the whole share. */
  dollar: 0.8,
  /** A star below five. */
  missingStar: 4,
  /** Somebody nobody has reviewed yet. */
  unknownPerson: 3,
  /** A contact, or a contact of contacts. */
  contact: -12,
  contactInCommon: -2,
  verifiedDriver: -3,
  /** Certainty that the answer is no: an ask that is turned down costs the wait for it. */
  refusal: 10,
};

/** What is known of a pair without knowing the people. */
export interface RoadFacts {
  detourMs: number;
  walkMetres: number;
  waitMs: number;
  slowMs: number;
  fareCents: number;
  /** Only one of the two likes it quiet. */
  isNotQuiet: boolean;
}

/** What is known of the other person. */
export interface PersonFacts {
  rating: number | null;
  isContact: boolean;
  contactsInCommon: number;
  verifiedDriver: boolean;
  /** Asks this person was sent and answered, or let expire; and those they said yes to. */
  asked: number;
  accepted: number;
}

/**
 * The part of the score that road, time, walk, price and preferences make. The whole is this plus
 * `personScore`; lowest stands first.
 */
export function roadScore(facts: RoadFacts): number {
  return (
    (Math.max(0, facts.detourMs) / 60_000) * weights.detourMinute +
    (facts.walkMetres / walkingMetresPerMinute) * weights.walkMinute +
    (Math.abs(facts.waitMs) / 60_000) * weights.waitMinute +
    (Math.max(0, facts.slowMs) / 60_000) * weights.slowMinute +
    (facts.fareCents / 100) * weights.dollar +
    (facts.isNotQuiet ? weights.notQuiet : 0)
  );
}

/** The part of the score that the other person makes. */
export function personScore(facts: PersonFacts): number {
  return (
    (facts.rating === null ? weights.unknownPerson : (5 - facts.rating) * weights.missingStar) +
    (facts.isContact ? weights.contact : 0) +
    Math.min(3, facts.contactsInCommon) * weights.contactInCommon +
    (facts.verifiedDriver ? weights.verifiedDriver : 0) +
    (1 - acceptChance(facts)) * weights.refusal
  );
}

/**
 * How likely somebody says yes, by what they said before. Who has never been asked counts like most people:
 * the rule of succession, started at three yes in four.
 */
export const acceptChance = ({ asked, accepted }: Pick<PersonFacts, 'asked' | 'accepted'>): number =>
  (accepted + 3) / (asked + 4);
