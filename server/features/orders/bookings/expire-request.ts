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
  const { clock, transact } = platform;
  await followLatePayments(context, { requestIds: [requestId] });
  await transact(async (tx) => {
    if (!(await orders.claimRequest(tx, requestId))) return;
    const request = await orders.lockRequest(tx, requestId);
    if (request === null || !openRequestStates.includes(request.state) || request.latestAt > clock.now())
      return;
    await orders.settle.closeAsks(tx, await orders.bookingsOf(tx, { requestIds: [requestId] }), {
      how: 'expire',
      reason: '',
    });
    await orders.moves.moveRequest(tx, request, {
      move: 'expire',
      by: bySystem,
      set: { endedAt: clock.now() },
    });
    await orders.freeSpan(tx, requestId);
  });
}
