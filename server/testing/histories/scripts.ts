import { pick, type Dice } from './deeds.ts';
import type { CardName } from './history-context.ts';

/**
 * The card with which all passengers start, null for one of `startingCards`; and kinds of steps that a
 * history tries in this order, with others between them. Chance alone seldom finds either.
 */
type Script = readonly [card: CardName | null, kinds: readonly string[]];

const booked = ['publishRide', 'publishRequest', 'ask', 'accept'];
const ridden = ['dayOfTheRide', 'timeToLeave', 'reach', 'depart', 'reachPassenger'];
const missed = [...ridden, 'waitIsOver', 'noShow'];
const met = ['pickUp', 'confirmMeeting'];
const another = ['propose', 'answerChange'];
const disputed = ['object', 'reply', 'decide'];

const scripts: readonly Script[] = [
  [null, []],
  [null, []],
  [null, []],
  [null, [...booked, ...ridden, ...met, 'arrive', ...disputed]],
  // The terms change after a payment has been placed, refused, or left to its holder.
  ['good', [...booked, 'publishRequest', 'ask', 'accept', ...another, 'holdsArePlaced', ...another]],
  ['refusedOnCharge', [...booked, 'holdsArePlaced', ...another, 'authorize', ...ridden, ...met, 'arrive']],
  ['refusedOnCharge', [...booked, ...another, 'holdsArePlaced', ...another, 'authorize']],
  ['asksAlways', [...booked, ...another, 'answerAtBank', 'holdsArePlaced', ...another, 'answerAtBank']],
  // The event of a payment comes after its deadline; the passenger or the driver cancels, or they ride.
  ['asksAlways', [...booked, 'paysLate', ...another, 'cancelRequest']],
  ['asksAlways', [...booked, 'holdsArePlaced', 'paysLate', 'cancelBooking', 'ask', 'accept', 'paysLate']],
  ['asksAlways', [...booked, 'publishRequest', 'ask', 'accept', 'paysLate', 'paysLate', ...ridden, ...met]],
  // A passenger is missed, objects, and is on board after all; then they object to the fare.
  ['good', [...booked, ...missed, 'object', ...met, 'arrive', ...disputed]],
  [null, [...booked, 'authorize', ...missed, ...met, 'object', 'arrive', ...disputed]],
  ['good', [...booked, ...ridden, 'reportDriver', 'reply', ...met, 'arrive', ...disputed]],
  // One side blocks the other while an ask, an invitation or a reserved seat is open.
  [null, ['publishRide', 'publishRequest', 'ask', 'block', 'accept', 'authorize', 'answerAtBank']],
  [null, ['publishRide', 'publishRequest', 'invite', 'block', 'acceptInvitation', 'ask', 'accept']],
  ['asksAlways', [...booked, 'block', 'answerAtBank', 'unblock', 'ask', 'accept', 'block', 'paysLate']],
];

/** Of this many steps all but one follow the script, where its deed is possible. */
const leaveEvery = 4;

/** The cards of histories whose script says none. */
const startingCards: readonly CardName[] = ['disputed', 'asksAlways', 'good'];

/**
 * The script chosen by the first dice of a history: the card with which all passengers start, and the deeds
 * that it tries first.
 */
export function scriptOf(first: Dice): { card: CardName; next: (dice: Dice) => string | null } {
  const [card, kinds] = pick(scripts, first.kind);
  const left = [...kinds];
  return {
    card: card ?? pick(startingCards, first.more),
    // Deeds that are impossible when they are tried are forgotten.
    next: ({ more }) => (more % leaveEvery === 0 ? null : (left.shift() ?? null)),
  };
}
