import { companions, contactsOrders, popularWays } from '#contract/discover/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { CommutesService } from './service.ts';

export function serveCommutes(serve: Serve, commutes: CommutesService): void {
  serve(popularWays, (input, caller) => commutes.popular(input, caller?.userId ?? null, input.offset));
  serve(companions, (input, caller) => commutes.commuters(caller.userId, input.offset));
  serve(contactsOrders, (input, caller) => commutes.ordersOfContacts(caller.userId, input));
}
