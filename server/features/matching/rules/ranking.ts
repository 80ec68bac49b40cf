import { walkingMetresPerMinute } from '#contract/units.ts';

/** The weights of a candidate's score, in equivalent minutes. Lower is better. */
export const weights = {
  /** A minute of detour for the driver. */
  detourMinute: 1,
  /** A minute on foot. */
  walkMinute: 1.2,
  /** A minute between the wanted and the offered pick-up. */
  waitMinute: 0.35,
  /** A minute on board beyond the direct drive. */
  slowMinute: 0.6,
  /** Only one of the two prefers a quiet ride. */
  notQuiet: 4,
  /** A dollar of the whole share. */
  dollar: 0.8,
  /** A star below five. */
  missingStar: 4,
  /** A person without reviews. */
  unknownPerson: 3,
  /** A contact, or a contact of contacts. */
  contact: -12,
  contactInCommon: -2,
  verifiedDriver: -3,
  /** A certain refusal: an ask that is declined costs the wait for it. */
  refusal: 10,
};

/** The facts of a pair, without the people. */
export interface RoadFacts {
  detourMs: number;
  walkMetres: number;
  waitMs: number;
  slowMs: number;
  fareCents: number;
  /** Only one of the two prefers a quiet ride. */
  isNotQuiet: boolean;
}

/** The facts of the other person. */
export interface PersonFacts {
  rating: number | null;
  isContact: boolean;
  contactsInCommon: number;
  verifiedDriver: boolean;
  /** Asks or invitations this person answered or let expire, and those they accepted. */
  asked: number;
  accepted: number;
}

/**
 * The part of the score from road, time, walk, price and preferences. The whole is this plus `personScore`;
 * the lowest comes first.
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

/** The part of a score for driving: its detour, and the time on board beyond the passenger's own drive. */
export const driveScore = (detourMs: number, slowMs: number): number =>
  (detourMs * weights.detourMinute + slowMs * weights.slowMinute) / 60_000;

/**
 * The part of the score for a choice of meeting points, of a ride without a stop between them: the drive
 * between, which is part of the detour and of the time on board, and the walks. Not rounded up: `roadScore`
 * may be higher.
 */
export const spotsScore = (directMs: number, walkMetres: number): number =>
  driveScore(directMs, directMs) + (walkMetres / walkingMetresPerMinute) * weights.walkMinute;

/** The part of the score from the other person. */
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
 * How likely a person accepts, from their answers so far. A person never asked counts like most people: the
 * rule of succession, started at three yes in four.
 */
export const acceptChance = ({ asked, accepted }: Pick<PersonFacts, 'asked' | 'accepted'>): number =>
  (accepted + 3) / (asked + 4);
