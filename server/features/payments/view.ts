import type { BookingPayment, Dispute, Earning, Receipt } from '#contract/payments/views.ts';
import type { Person } from '#contract/user/endpoints.ts';
import { disputableUntil } from './rules/claim-window.ts';
import { feeBackOf, feeOf } from './rules/fees.ts';
import { needOf } from './rules/next-step.ts';
import type { DisputeRow, HoldRow, Reminder } from './store.ts';
import type { Terms } from './terms.ts';

const shown = (at: Date | null): string | null => at?.toISOString() ?? null;

export const viewDispute = (row: DisputeRow): Dispute => ({
  id: row.id,
  bookingId: row.bookingId,
  state: row.state,
  text: row.text,
  answer: row.answer,
  decision: row.decision,
  refundCents: row.refundCents,
  openedAt: row.openedAt.toISOString(),
  answeredAt: shown(row.answeredAt),
  resolvedAt: shown(row.resolvedAt),
});

/** A booking's payment; where the passenger confirms and what the bank said is for the passenger alone. */
export function viewPayment(
  hold: HoldRow,
  dispute: DisputeRow | null,
  {
    side,
    now,
    terms,
    reminder,
  }: { side: 'driver' | 'passenger'; now: Date; terms: Terms; reminder: Reminder | undefined },
): BookingPayment {
  const isPassenger = side === 'passenger';
  const until = disputableUntil(hold, terms.shown.disputeHours);
  const isPlanned = hold.goal === 'hold' && !hold.isAsked && hold.cardId !== null;
  const isOwed = hold.goal === 'take' && hold.takenCents === 0;
  return {
    state: hold.state,
    need: needOf(hold),
    reminder:
      isPassenger || reminder === undefined ? null : { at: reminder.at.toISOString(), by: reminder.by },
    amountCents: hold.amountCents,
    heldCents: hold.heldCents,
    takenCents: hold.takenCents,
    refundedCents: hold.refundedCents,
    kind: hold.kind,
    holdAt: isPlanned ? shown(hold.nextAt) : null,
    takeAt: isOwed ? shown(hold.takeAt) : null,
    owedCents: isOwed ? hold.takeCents : 0,
    actionUrl: isPassenger ? hold.actionUrl : null,
    // Why a driver cannot be paid is theirs to know.
    declineCode: isPassenger && needOf(hold) !== 'driverAccount' ? hold.declineCode : null,
    disputableUntil: isPassenger && dispute === null && until !== null && until > now ? shown(until) : null,
    dispute: dispute === null ? null : viewDispute(dispute),
  };
}

const paidRide = (hold: HoldRow, other: Person | null) => ({
  bookingId: hold.bookingId,
  orderNumber: hold.orderNumber,
  from: hold.fromName,
  to: hold.toName,
  rideAt: hold.rideAt.toISOString(),
  timeZone: hold.timeZone,
  seats: hold.seats,
  kind: hold.kind,
  other,
});

export const viewReceipt = (hold: HoldRow, driver: Person | null, ridden: Receipt['ridden']): Receipt => ({
  ...paidRide(hold, driver),
  requestId: hold.requestId,
  state: hold.state,
  card: hold.isAsked ? hold.cardLabel : '',
  heldCents: hold.heldCents,
  takenCents: hold.takenCents,
  refundedCents: hold.refundedCents,
  takenAt: shown(hold.takenAt),
  ridden: hold.kind === 'partWay' ? ridden : null,
  at: (hold.takenAt ?? hold.createdAt).toISOString(),
});

export function viewEarning(
  hold: HoldRow,
  { passenger, dispute, terms }: { passenger: Person | null; dispute: DisputeRow | null; terms: Terms },
): Earning {
  const { takenCents, refundedCents } = hold;
  const isComing = takenCents === 0;
  const grossCents = isComing ? hold.takeCents : takenCents;
  const feeWhole = isComing ? feeOf(grossCents, terms.fees) : hold.feeCents;
  const feeCents = feeWhole - feeBackOf(feeWhole, takenCents, { beforeCents: 0, afterCents: refundedCents });
  const isDisputed = dispute !== null && dispute.state !== 'resolved';
  return {
    ...paidRide(hold, passenger),
    rideId: hold.rideId,
    grossCents,
    feeCents,
    refundedCents,
    netCents: grossCents - feeCents - refundedCents - hold.chargedBackCents,
    state: hold.isChargedBack
      ? 'chargedBack'
      : isDisputed
        ? 'disputed'
        : isComing
          ? 'coming'
          : refundedCents > 0
            ? 'refunded'
            : 'paid',
    at: (hold.takenAt ?? hold.settledAt ?? hold.createdAt).toISOString(),
  };
}
