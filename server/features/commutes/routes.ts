import * as calls from '#contract/discover/endpoints.ts';
import type { Serve } from '../../app-type.ts';
import { openOrdersOfContacts } from '../orders/service.ts';
import { listCommuters, listPopularCommutes } from './commuters.ts';

export function serveCommutes(serve: Serve): void {
  serve(calls.popularWays, (app, input, caller) =>
    listPopularCommutes(app, input, caller?.userId ?? null, input.offset),
  );
  serve(calls.companions, (app, input, caller) => listCommuters(app, caller.userId, input.offset));
  serve(calls.contactsOrders, (app, input, caller) => openOrdersOfContacts(app, caller.userId, input));
}
