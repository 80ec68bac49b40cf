import type { CommandPlatform } from '../../../platform/command-platform.ts';
import type { Db } from '../../../platform/database/db.ts';
import { movedOn, notFound } from '../../../platform/refusal.ts';
import type { ClaimRow } from './store.ts';

export const claimNotFound = () => notFound('dispute.notFound', 'We couldn’t find this dispute.');
export const claimMoved = () => movedOn('dispute.moved', 'This dispute just changed. Please check again.');

/** Emits that a claim has moved into its state. */
export const emitClaim = (
  { outbox }: Pick<CommandPlatform, 'outbox'>,
  tx: Db,
  { id, bookingId, passengerId, driverId, state }: ClaimRow,
): Promise<void> =>
  outbox.emit(tx, 'dispute.moved', { disputeId: id, bookingId, passengerId, driverId, to: state }, bookingId);
