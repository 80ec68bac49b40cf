import { companions, contactsOrders, popularWays } from '#contract/discover/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { DiscoverService } from './service.ts';

export function serveDiscover(serve: Serve, discover: DiscoverService): void {
  serve(popularWays, (input, caller) => discover.ways(input, caller?.userId ?? null, input.offset));
  serve(companions, (input, caller) => discover.people(caller.userId, input.offset));
  serve(contactsOrders, (input, caller) => discover.ordersOfContacts(caller.userId, input));
}
