import { useTranslation } from 'react-i18next';
import type { SavedCard } from '#contract/payments/views.ts';

const brands = ['visa', 'mastercard', 'amex', 'discover', 'diners', 'jcb', 'unionpay'] as const;
const declines = [
  'insufficient_funds',
  'expired_card',
  'lost_card',
  'stolen_card',
  'incorrect_cvc',
  'processing_error',
  'authentication_required',
  'card_velocity_exceeded',
  'fraudulent',
] as const;

/** A card as people know it: `Visa •••• 4242`. */
export function useCardName(): (card: Pick<SavedCard, 'brand' | 'last4'>) => string {
  const { t } = useTranslation('payments');
  return ({ brand, last4 }) => {
    const known = brands.find((each) => each === brand) ?? 'other';
    return t('cards.name', { brand: t(`brand.${known}`), last4 });
  };
}

/** The bank's reason in words; a code without words of its own is a plain refusal. */
export function useDeclineWords(): (code: string) => string {
  const { t } = useTranslation('payments');
  return (code) => t(`decline.${declines.find((each) => each === code) ?? 'other'}`);
}
