import { CreditCard, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteMethod, paymentMethods, setDefaultMethod } from '#contract/payments/endpoints.ts';
import type { SavedCard } from '#contract/payments/views.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { Button, IconButton, TextButton } from '../../ui/button.tsx';
import { StateChip } from '../../ui/chips.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { List, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useAddCard } from './add-card.tsx';
import { useCardName } from '../../domain/money/card-words.ts';

/** My saved cards: which one pays, which end soon, and ways to add, choose and delete. */
export function Cards() {
  const { t } = useTranslation('payments');
  const cards = useCall(paymentMethods, {}, { quiet: true });
  const adding = useAddCard('/pages/account/payments?added=card');
  return (
    <Section title={t('cards.title')}>
      <QueryView query={cards} failed={t('failed')} skeleton={{ rows: 2 }}>
        {({ methods }) => (
          <>
            {methods.length === 0 ? (
              <p className="text-body text-ink-2">{t('cards.noneText')}</p>
            ) : (
              <List label={t('cards.title')}>
                {methods.map((card) => (
                  <CardRow key={card.id} card={card} />
                ))}
              </List>
            )}
            <Button
              full
              tone={methods.length === 0 ? 'primary' : 'quiet'}
              busy={adding.busy}
              onClick={adding.start}
            >
              {t('cards.add')}
            </Button>
          </>
        )}
      </QueryView>
      {adding.form}
    </Section>
  );
}

function CardRow({ card }: { card: SavedCard }) {
  const { t } = useTranslation(['payments', 'common']);
  const name = useCardName()(card);
  const [asking, setAsking] = useState(false);
  const choosing = useAction(setDefaultMethod, {
    invalidates: ['/payment/'],
    onDone: () => toast.done(t('payments:cards.isDefault')),
  });
  const deleting = useAction(deleteMethod, {
    invalidates: ['/payment/', '/order/'],
    onDone: () => {
      setAsking(false);
      toast.done(t('payments:cards.deleted'));
    },
    onRefused: () => {
      setAsking(false);
      return false;
    },
  });
  const expiry = t('payments:cards.expires', {
    month: String(card.expiryMonth).padStart(2, '0'),
    year: card.expiryYear,
  });
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <CreditCard aria-hidden className="mt-0.5 shrink-0 text-ink-2" />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-1">
        <p className="figures text-lead">{name}</p>
        <p className="figures text-small text-ink-3">{expiry}</p>
        <p className="flex flex-wrap gap-2 empty:hidden">
          {card.isDefault && (
            <StateChip tone="brand" icon={<CreditCard aria-hidden />}>
              {t('payments:cards.default')}
            </StateChip>
          )}
          {card.state !== 'ready' && (
            <StateChip tone={card.state === 'expired' ? 'danger' : 'warn'} icon={<CreditCard aria-hidden />}>
              {t(`payments:cards.${card.state}`)}
            </StateChip>
          )}
        </p>
        {!card.isDefault && card.state !== 'expired' && (
          <TextButton disabled={choosing.busy} onClick={() => choosing.run({ id: card.id })}>
            {t('payments:cards.setDefault')}
          </TextButton>
        )}
      </div>
      <IconButton
        label={t('payments:cards.delete', { card: name })}
        icon={<Trash2 aria-hidden />}
        onClick={() => setAsking(true)}
      />
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('payments:cards.deleteTitle', { card: name })}
        text={t('payments:cards.deleteText')}
        confirmLabel={t('common:delete')}
        cancelLabel={t('common:back')}
        busy={deleting.busy}
        onConfirm={() => deleting.run({ id: card.id })}
      />
    </li>
  );
}
