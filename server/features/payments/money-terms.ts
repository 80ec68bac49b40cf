import type { MoneyTerms } from '#contract/payments/views.ts';
import type { App } from '../../app-type.ts';
import { cancelFee, noShowFee } from './rules/cancel-fee.ts';

/** The figures that people are shown. */
export const moneyTerms = ({ payments }: App): MoneyTerms => payments.terms.shown;

/** The fee for canceling a booking at an instant, in cents. */
export const cancelFeeOf = (
  app: App,
  booking: Parameters<typeof cancelFee>[0],
  at: Date,
): ReturnType<typeof cancelFee> => cancelFee(booking, at, app.payments.terms.cancel);

/** The fee of a passenger who does not come, in cents. */
export const noShowFeeOf = (app: App, fareCents: number): number =>
  noShowFee(fareCents, app.payments.terms.cancel);
