import { useTranslation } from 'react-i18next';
import { authorize } from '#contract/payments/endpoints.ts';
import type { BookingPayment } from '#contract/payments/views.ts';
import { invalidate } from '../../core/query-client.ts';
import { useAction } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { toast } from '../../ui/toasts.tsx';

/** What a payment can change on screen. */
export const touchedByPayments = ['/order/', '/payment/', '/im/'];

/**
 * Asks for the state of a booking's payment and has its share authorized on a card; says the outcome in
 * words.
 */
export function useAuthorize(timeZone: string, onDone: (payment: BookingPayment) => void = () => {}) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  return useAction(authorize, {
    invalidates: touchedByPayments,
    onDone: (payment) => {
      if (payment.need === 'anotherCard') toast.error(t('result.declined'));
      else if (payment.need === 'confirmation') toast.info(t('result.action'));
      else if (payment.holdAt !== null)
        toast.done(t('result.saved', { when: format.dayInSentence(payment.holdAt, timeZone) }));
      else if (payment.state === 'requires_capture')
        toast.done(t('result.held', { amount: format.money(payment.authorizedCents) }));
      else toast.info(t('result.processing'));
      onDone(payment);
    },
    onRefused: () => {
      void invalidate(...touchedByPayments);
      return false;
    },
  });
}
