import { openRequestStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import { changeOrders } from '../aggregate/locked-orders.ts';
import { closeAsks } from '../decide/cascade.ts';
import { bySystem } from '../decide/move-log.ts';
import { moveRequest } from '../decide/moves.ts';
import { claimRequest } from '../store.ts';
import { followLatePayments } from './booking-payment.ts';

/**
 * Expires a request whose window passed without a ride, and its open asks; does nothing before that, or while
 * another transaction has it.
 */
export async function expireRequest(app: App, requestId: string): Promise<void> {
  const { clock } = app;
  await followLatePayments(app, { requestIds: [requestId] });
  await changeOrders(app, 'expire request', async (locked) => {
    if (!(await claimRequest(await locked.db(), requestId))) return;
    const request = await locked.lockRequest(requestId);
    if (request === null || !openRequestStates.includes(request.state) || request.latestAt > clock.now())
      return;
    closeAsks(app, locked, locked.bookingsOfRequest(requestId), {
      how: 'expire',
      reason: '',
    });
    moveRequest(app, locked, request, {
      move: 'expire',
      by: bySystem,
      set: { endedAt: clock.now() },
    });
    locked.spans.free(requestId);
  });
}
