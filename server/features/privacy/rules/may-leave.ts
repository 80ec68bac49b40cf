import { money } from '#contract/formats/amounts.ts';
import type { Leaving } from '#contract/privacy/endpoints.ts';
import { movedOn, type Refusal } from '../../../platform/refusal.ts';

/**
 * Why a person cannot leave yet, before anything is canceled; null where they can. The refusal contains what
 * leaving would cancel: `privacy.owes`, `privacy.disputeOpen`, `privacy.refundOpen`, `privacy.rideUnderWay`
 * and `privacy.feeDue`.
 */
export function whyNotLeave(preview: Leaving): Refusal | null {
  const { orders, owedCents, openDisputes, openRefunds } = preview;
  if (owedCents > 0)
    return movedOn(
      'privacy.owes',
      `You owe ${money(owedCents, 'en')} for a ride. Please pay it first, or write to us if you can’t.`,
      { amountCents: owedCents, preview },
    );
  if (openDisputes > 0)
    return movedOn(
      'privacy.disputeOpen',
      'A dispute about one of your rides isn’t decided yet. Please wait for the decision.',
      { preview },
    );
  if (openRefunds > 0)
    return movedOn('privacy.refundOpen', 'A refund to you is on its way. Please wait until it arrives.', {
      preview,
    });
  const underWay = orders.find(({ may }) => !may);
  if (underWay !== undefined)
    return movedOn(
      'privacy.rideUnderWay',
      `Your ride ${underWay.orderNumber} is underway. Please try again when it ends.`,
      { order: underWay.orderNumber, preview },
    );
  const costly = orders.find(({ feeCents }) => feeCents > 0);
  if (costly !== undefined)
    return movedOn(
      'privacy.feeDue',
      `Canceling ${costly.orderNumber} now costs ${money(costly.feeCents, 'en')}. Please cancel it yourself first.`,
      { order: costly.orderNumber, amountCents: costly.feeCents, preview },
    );
  return null;
}
