import { CircleCheckBig, CircleDashed, CircleX, Clock, TriangleAlert, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { PaymentAccountState } from '#contract/payments/views.ts';
import { StateChip, type Tone } from '../../ui/chips.tsx';
import { useMissingWords } from './missing-words.ts';

const looks: Record<PaymentAccountState, { tone: Tone; icon: LucideIcon }> = {
  none: { tone: 'neutral', icon: CircleDashed },
  started: { tone: 'info', icon: Clock },
  verified: { tone: 'brand', icon: CircleCheckBig },
  restricted: { tone: 'warn', icon: TriangleAlert },
  rejected: { tone: 'danger', icon: CircleX },
};

/** Whether a driver can be paid, in a word or two. */
export function AccountChip({ state }: { state: PaymentAccountState }) {
  const { t } = useTranslation('payments');
  const { tone, icon: Icon } = looks[state];
  return (
    <StateChip tone={tone} icon={<Icon aria-hidden />}>
      {t(`account.state.${state}`)}
    </StateChip>
  );
}

/** What the provider still asks for; nothing where nothing is missing. */
export function Missing({ missing }: { missing: readonly string[] }) {
  const { t } = useTranslation('payments');
  const words = useMissingWords()(missing);
  if (words.length === 0) return null;
  return (
    <div className="rounded-small bg-warn-soft px-3 py-2 text-body text-warn">
      <p className="font-semibold">{t('account.missing')}</p>
      <ul className="list-disc pl-5">
        {words.map((word) => (
          <li key={word}>{word}</li>
        ))}
      </ul>
    </div>
  );
}
