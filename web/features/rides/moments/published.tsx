import { Megaphone } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Order } from '#contract/rides/views.ts';
import { Roadside } from '../../../ui/roadside.tsx';
import { ShareLinkButton } from '../links/share-button.tsx';

/** The moment after publishing: it is live, what happens next, and a way to tell others of it. */
export function Published({ order }: { order: Order }) {
  const { t } = useTranslation('rides');
  return (
    <section
      aria-labelledby="published-title"
      className="flex animate-appear flex-col items-center gap-3 rounded-control bg-surface px-4 py-5 text-center shadow-card"
    >
      <Roadside icon={<Megaphone />} mood="arrived" />
      <h2 id="published-title" className="text-heading">
        {t(`published.${order.role}.title`)}
      </h2>
      <p className="max-w-xs text-body text-ink-2">{t(`published.${order.role}.text`)}</p>
      <ShareLinkButton order={order} />
    </section>
  );
}
