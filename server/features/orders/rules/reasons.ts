import { co2GramsPerMetre } from '#contract/co2.ts';
import { preferenceNames, type Preferences } from '#contract/rides/preferences.ts';
import type { Reason } from '#contract/rides/views.ts';

export interface FitFacts {
  detourMs: number;
  detourMetres: number;
  walkMetres: number;
  directMetres: number;
  seatsLeft: number;
  fareCents: number;
  seats: number;
  offerCents: number | null;
  isContact: boolean;
  contactsInCommon: number;
  /** How many asks or invitations the other person has answered, and how many they accepted. */
  asked: number;
  accepted: number;
  /** The preferences of driver and passenger. */
  ride: Preferences;
  request: Preferences;
}

/** With fewer answers no rate is shown. */
const tellingAnswers = 3;
/** From this rate on, a person is shown as usually accepting. */
const usuallyShare = 0.75;

/** CO₂ saved when the passenger leaves their own car at home and the driver makes the detour. */
export const savedCo2Grams = (directMetres: number, detourMetres: number): number =>
  Math.max(0, Math.round((directMetres - Math.max(0, detourMetres)) * co2GramsPerMetre));

/**
 * Reasons by preferences: pets and luggage that are welcome, likes of both, and a quiet ride that only one
 * prefers.
 */
function preferenceReasons({ ride, request }: Pick<FitFacts, 'ride' | 'request'>): Reason[] {
  const alike = preferenceNames
    .filter((name) => ride[name] && request[name])
    .map((what): Reason => ({ kind: 'prefers', what }));
  if (ride.quiet === request.quiet) return alike;
  return [{ kind: 'notQuiet', askedBy: ride.quiet ? 'driver' : 'passenger' }, ...alike];
}

/** The reasons for a candidate, the most telling first. */
export function reasonsOf(facts: FitFacts): Reason[] {
  const reasons: Reason[] = [];
  if (facts.isContact) reasons.push({ kind: 'contact' });
  reasons.push({
    kind: 'detour',
    seconds: Math.max(0, Math.round(facts.detourMs / 1000)),
    metres: Math.max(0, facts.detourMetres),
  });
  if (facts.walkMetres > 0) reasons.push({ kind: 'walk', metres: facts.walkMetres });
  if (facts.contactsInCommon > 0) reasons.push({ kind: 'contactsInCommon', count: facts.contactsInCommon });
  if (facts.asked >= tellingAnswers && facts.accepted / facts.asked >= usuallyShare)
    reasons.push({ kind: 'accepts', percent: Math.round((facts.accepted / facts.asked) * 100) });
  reasons.push(...preferenceReasons(facts));
  reasons.push({ kind: 'seatsLeft', seats: facts.seatsLeft });
  if (facts.fareCents === 0) reasons.push({ kind: 'free' });
  else if (facts.offerCents !== null && facts.fareCents < facts.offerCents * facts.seats) {
    reasons.push({ kind: 'belowOffer', cents: facts.offerCents * facts.seats - facts.fareCents });
  }
  const grams = savedCo2Grams(facts.directMetres, facts.detourMetres);
  if (grams > 0) reasons.push({ kind: 'savedCo2', grams });
  return reasons;
}
