import * as calls from '#contract/events/endpoints.ts';
import * as planCalls from '#contract/events/plan.ts';
import type { App } from '../../../app-type.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import { answerPlace } from './answer-place.ts';
import { joinAsDriver, joinAsPassenger } from './join-event.ts';
import { listEntries } from './list-entries.ts';
import { readOwnPlan } from './own-plan.ts';
import { readPlan } from './read-plan.ts';
import { sendPlan } from './send-plan.ts';

export function serveEventPlans(serve: Serve, app: App): void {
  serve(calls.eventRides, async ({ id, token }, caller) => ({
    entries: await listEntries(app, id, caller?.userId ?? null, token),
  }));
  serve(calls.joinAsDriver, (input, caller) => joinAsDriver(app, caller.userId, input));
  serve(calls.joinAsPassenger, (input, caller) => joinAsPassenger(app, caller.userId, input));
  serve(planCalls.eventPlan, ({ id }, caller) => readPlan(app, caller.userId, id));
  serve(planCalls.assignPlaces, ({ id, places }, caller) => sendPlan(app, caller.userId, id, places));
  serve(planCalls.myEvent, ({ id }, caller) => readOwnPlan(app, caller.userId, id));
  serve(planCalls.answerPlace, (input, caller) => answerPlace(app, caller.userId, input));
}
