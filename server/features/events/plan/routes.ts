import { eventRides, joinAsDriver, joinAsPassenger } from '#contract/events/endpoints.ts';
import { answerPlace, assignPlaces, eventPlan, myEvent } from '#contract/events/plan.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import type { EventPlansService } from './service.ts';

export function serveEventPlans(serve: Serve, outings: EventPlansService): void {
  serve(eventRides, async ({ id, token }, caller) => ({
    entries: await outings.entries(id, caller?.userId ?? null, token),
  }));
  serve(joinAsDriver, (input, caller) => outings.joinAsDriver(caller.userId, input));
  serve(joinAsPassenger, (input, caller) => outings.joinAsPassenger(caller.userId, input));
  serve(eventPlan, ({ id }, caller) => outings.plan(caller.userId, id));
  serve(assignPlaces, ({ id, places }, caller) => outings.assign(caller.userId, id, places));
  serve(myEvent, ({ id }, caller) => outings.mine(caller.userId, id));
  serve(answerPlace, (input, caller) => outings.answer(caller.userId, input));
}
