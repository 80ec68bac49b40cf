import { changeOrders } from '../aggregate/locked-orders.ts';
import { openRequestStates } from '#contract/rides/moves.ts';
import { bySystem } from '../move-log.ts';
import { followLatePayments } from './booking-payment.ts';
import type { BookingContext } from './context.ts';

/**
 * Expires a request whose window passed without a ride, and its open asks; does nothing before that, or while
 * another transaction has it.
 */
export async function expireRequest(context: BookingContext, requestId: string): Promise<void> {
  const { platform, orders } = context;
  const { clock } = platform;
  await followLatePayments(context, { requestIds: [requestId] });
  await changeOrders(platform, async (locked) => {
    if (!(await orders.claimRequest(await locked.db(), requestId))) return;
    const request = await locked.lockRequest(requestId);
    if (request === null || !openRequestStates.includes(request.state) || request.latestAt > clock.now())
      return;
    orders.settle.closeAsks(locked, locked.bookingsOfRequest(requestId), {
      how: 'expire',
      reason: '',
    });
    orders.moves.moveRequest(locked, request, {
      move: 'expire',
      by: bySystem,
      set: { endedAt: clock.now() },
    });
    locked.spans.free(requestId);
  });
}
