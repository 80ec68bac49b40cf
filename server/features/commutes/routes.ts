import * as calls from '#contract/discover/endpoints.ts';
import type { App } from '../../app-type.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import { openOrdersOfContacts } from '../orders/service.ts';
import { listCommuters } from './commuters.ts';
import { listPopularCommutes } from './popular-commutes.ts';

export function serveCommutes(serve: Serve, app: App): void {
  serve(calls.popularWays, (input, caller) =>
    listPopularCommutes(app, input, caller?.userId ?? null, input.offset),
  );
  serve(calls.companions, (input, caller) => listCommuters(app, caller.userId, input.offset));
  serve(calls.contactsOrders, (input, caller) => openOrdersOfContacts(app, caller.userId, input));
}
