import type { App } from '../../../app-type.ts';
import { eventsOfRequests } from '../../orders/events/queries.ts';
import { answerPlace } from './answer-place.ts';
import { createAssignmentCache } from './assignment-cache.ts';
import type { PlanContext } from './context.ts';
import { joinAsDriver, joinAsPassenger } from './join-event.ts';
import { listEntries } from './list-entries.ts';
import { readOwnPlan } from './own-plan.ts';
import { readPlan } from './read-plan.ts';
import { repairPlan } from './repair-plan.ts';
import { sendPlan } from './send-plan.ts';

export type EventPlansService = ReturnType<typeof createEventPlans>;

/**
 * Getting to an event together: who drives and who needs a seat, and the organizer's plan of who rides with
 * whom. The plan books no seats: it proposes places, and a person who says yes asks or invites by an ordinary
 * booking. It starts from the current rides, so people who have joined, asked or been proposed a place keep
 * it.
 */
export function createEventPlans(platform: App) {
  const context: PlanContext = {
    platform,
    assignments: createAssignmentCache(platform),
  };
  return {
    joinAsDriver: joinAsDriver.bind(null, context),
    joinAsPassenger: joinAsPassenger.bind(null, context),
    plan: readPlan.bind(null, context),
    assign: sendPlan.bind(null, context),
    repair: repairPlan.bind(null, context),
    answer: answerPlace.bind(null, context),
    mine: readOwnPlan.bind(null, context),
    entries: listEntries.bind(null, context),
    /** The events that some requests are for. */
    eventsOf: (requestIds: readonly string[]) => eventsOfRequests(platform.db, requestIds),
  };
}
