import * as calls from '#contract/discover/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { CommutesService } from './service.ts';

export function serveCommutes(serve: Serve, commutes: CommutesService): void {
  serve(calls.popularWays, (input, caller) => commutes.popular(input, caller?.userId ?? null, input.offset));
  serve(calls.companions, (input, caller) => commutes.commuters(caller.userId, input.offset));
  serve(calls.contactsOrders, (input, caller) => commutes.ordersOfContacts(caller.userId, input));
}
