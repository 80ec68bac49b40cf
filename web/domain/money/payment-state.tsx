import {
  CircleCheckBig,
  CircleSlash,
  Clock,
  CreditCard,
  LoaderCircle,
  Lock,
  ShieldQuestionMark,
  type LucideIcon,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { PaymentState } from '#contract/payments/views.ts';
import { StateChip, type Tone } from '../../ui/chips.tsx';

const looks: Record<PaymentState, { tone: Tone; icon: LucideIcon }> = {
  succeeded: { tone: 'brand', icon: CircleCheckBig },
  processing: { tone: 'info', icon: LoaderCircle },
  requires_payment_method: { tone: 'warn', icon: CreditCard },
  requires_confirmation: { tone: 'neutral', icon: Clock },
  requires_action: { tone: 'warn', icon: ShieldQuestionMark },
  requires_capture: { tone: 'brand', icon: Lock },
  canceled: { tone: 'neutral', icon: CircleSlash },
};

/** The state of a payment, in words, with an icon. */
export function PaymentChip({ state }: { state: PaymentState }) {
  const { t } = useTranslation('payments');
  const { tone, icon: Icon } = looks[state];
  return (
    <StateChip tone={tone} icon={<Icon aria-hidden />}>
      {t(`state.${state}`)}
    </StateChip>
  );
}
