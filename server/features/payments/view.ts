import { feeOf } from '#contract/payments/fees.ts';
import type { BookingPayment, Dispute, Earning, Receipt } from '#contract/payments/views.ts';
import type { Person } from '#contract/user/endpoints.ts';
import type { AuthorizationRow } from './authorizations/store.ts';
import type { ClaimRow } from './claims/store.ts';
import type { Reminder } from './ports.ts';
import { claimableUntil } from './rules/claims.ts';
import { feeBackOf } from './rules/fees.ts';
import { needOf } from './rules/next-step.ts';
import type { Terms } from './terms.ts';

const shown = (at: Date | null): string | null => at?.toISOString() ?? null;

export const viewClaim = (row: ClaimRow): Dispute => ({
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
  authorization: AuthorizationRow,
  claim: ClaimRow | null,
  {
    side,
    now,
    terms,
    reminder,
  }: { side: 'driver' | 'passenger'; now: Date; terms: Terms; reminder: Reminder | undefined },
): BookingPayment {
  const isPassenger = side === 'passenger';
  const until = claimableUntil(authorization, terms.shown.disputeHours);
  const isPlanned =
    authorization.goal === 'authorize' && !authorization.isAsked && authorization.cardId !== null;
  const isOwed = authorization.goal === 'capture' && authorization.capturedCents === 0;
  return {
    state: authorization.state,
    need: needOf(authorization),
    reminder:
      isPassenger || reminder === undefined ? null : { at: reminder.at.toISOString(), by: reminder.by },
    amountCents: authorization.amountCents,
    authorizedCents: authorization.authorizedCents,
    capturedCents: authorization.capturedCents,
    refundedCents: authorization.refundedCents,
    kind: authorization.kind,
    holdAt: isPlanned ? shown(authorization.nextAt) : null,
    captureAt: isOwed ? shown(authorization.captureAt) : null,
    owedCents: isOwed ? authorization.captureCents : 0,
    actionUrl: isPassenger ? authorization.actionUrl : null,
    // Why a driver cannot be paid is theirs to know.
    declineCode: isPassenger && needOf(authorization) !== 'driverAccount' ? authorization.declineCode : null,
    disputableUntil: isPassenger && claim === null && until !== null && until > now ? shown(until) : null,
    dispute: claim === null ? null : viewClaim(claim),
  };
}

const paidRide = (authorization: AuthorizationRow, other: Person | null) => ({
  bookingId: authorization.bookingId,
  orderNumber: authorization.orderNumber,
  from: authorization.fromName,
  to: authorization.toName,
  rideAt: authorization.rideAt.toISOString(),
  timeZone: authorization.timeZone,
  seats: authorization.seats,
  kind: authorization.kind,
  other,
});

export const viewReceipt = (
  authorization: AuthorizationRow,
  driver: Person | null,
  ridden: Receipt['ridden'],
): Receipt => ({
  ...paidRide(authorization, driver),
  requestId: authorization.requestId,
  state: authorization.state,
  card: authorization.isAsked ? authorization.cardLabel : '',
  authorizedCents: authorization.authorizedCents,
  capturedCents: authorization.capturedCents,
  refundedCents: authorization.refundedCents,
  capturedAt: shown(authorization.capturedAt),
  ridden: authorization.kind === 'partWay' ? ridden : null,
  at: (authorization.capturedAt ?? authorization.createdAt).toISOString(),
});

export function viewEarning(
  authorization: AuthorizationRow,
  { passenger, claim, terms }: { passenger: Person | null; claim: ClaimRow | null; terms: Terms },
): Earning {
  const { capturedCents, refundedCents } = authorization;
  const isComing = capturedCents === 0;
  const grossCents = isComing ? authorization.captureCents : capturedCents;
  const feeWhole = isComing ? feeOf(grossCents, terms.fees) : authorization.feeCents;
  const feeCents =
    feeWhole - feeBackOf(feeWhole, capturedCents, { beforeCents: 0, afterCents: refundedCents });
  const hasOpenClaim = claim !== null && claim.state !== 'resolved';
  return {
    ...paidRide(authorization, passenger),
    rideId: authorization.rideId,
    grossCents,
    feeCents,
    refundedCents,
    netCents: grossCents - feeCents - refundedCents - authorization.chargedBackCents,
    state: authorization.isChargedBack
      ? 'chargedBack'
      : hasOpenClaim
        ? 'disputed'
        : isComing
          ? 'coming'
          : refundedCents > 0
            ? 'refunded'
            : 'paid',
    at: (authorization.capturedAt ?? authorization.settledAt ?? authorization.createdAt).toISOString(),
  };
}
