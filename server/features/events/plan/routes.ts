import * as calls from '#contract/events/endpoints.ts';
import * as planCalls from '#contract/events/plan.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import type { EventPlansService } from './service.ts';

export function serveEventPlans(serve: Serve, outings: EventPlansService): void {
  serve(calls.eventRides, async ({ id, token }, caller) => ({
    entries: await outings.entries(id, caller?.userId ?? null, token),
  }));
  serve(calls.joinAsDriver, (input, caller) => outings.joinAsDriver(caller.userId, input));
  serve(calls.joinAsPassenger, (input, caller) => outings.joinAsPassenger(caller.userId, input));
  serve(planCalls.eventPlan, ({ id }, caller) => outings.plan(caller.userId, id));
  serve(planCalls.assignPlaces, ({ id, places }, caller) => outings.assign(caller.userId, id, places));
  serve(planCalls.myEvent, ({ id }, caller) => outings.mine(caller.userId, id));
  serve(planCalls.answerPlace, (input, caller) => outings.answer(caller.userId, input));
}
