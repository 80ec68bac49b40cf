import { answerQuestion, saveAnswer } from './answer-question.ts';
import { askBothSides } from './ask-both-sides.ts';
import { concludeOverdue } from './conclude-ride.ts';
import type { UnclearContext } from './context.ts';
import { isAnyRideOverdue, overdueRides } from './store.ts';

/**
 * Rides whose day fell into an outage, or on which one side alone has confirmed a meeting. A missing step or
 * one side's word proves nothing: both sides are asked, and the money follows what both say (decisions 0033,
 * 0117). A ride is concluded as a whole, because a price per car is shared among those who rode.
 */
export const createUnclear = (context: UnclearContext) => ({
  ask: askBothSides.bind(null, context),
  note: saveAnswer.bind(null, context),
  answer: answerQuestion.bind(null, context),
  /** Rides whose deadline for answers is over. */
  isAnyOverdue: isAnyRideOverdue,
  overdue: (limit: number) => overdueRides(context.platform.db, context.platform.clock.now(), limit),
  concludeOverdue: concludeOverdue.bind(null, context),
});
