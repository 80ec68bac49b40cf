import * as calls from '#contract/events/endpoints.ts';
import * as planCalls from '#contract/events/plan.ts';
import type { Serve } from '../../../app-type.ts';
import { answerPlace } from './answer-place.ts';
import { joinAsDriver, joinAsPassenger } from './join-event.ts';
import { listEntries, readPlan } from './read-plan.ts';
import { readOwnPlan } from './own-plan.ts';
import { sendPlan } from './send-plan.ts';

export function serveEventPlans(serve: Serve): void {
  serve(calls.eventRides, async (app, { id, token }, caller) => ({
    entries: await listEntries(app, id, caller?.userId ?? null, token),
  }));
  serve(calls.joinAsDriver, (app, input, caller) => joinAsDriver(app, caller.userId, input));
  serve(calls.joinAsPassenger, (app, input, caller) => joinAsPassenger(app, caller.userId, input));
  serve(planCalls.eventPlan, (app, { id }, caller) => readPlan(app, caller.userId, id));
  serve(planCalls.assignPlaces, (app, { id, places }, caller) => sendPlan(app, caller.userId, id, places));
  serve(planCalls.myEvent, (app, { id }, caller) => readOwnPlan(app, caller.userId, id));
  serve(planCalls.answerPlace, (app, input, caller) => answerPlace(app, caller.userId, input));
}
