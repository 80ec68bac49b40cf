import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '#contract/define.ts';
import { paymentMethods } from '#contract/payments/endpoints.ts';
import type { BookingPayment } from '#contract/payments/views.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useFormat } from '../../core/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { RadioList } from '../../ui/choices.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useAddCard } from './add-card.tsx';
import { useCardName } from '../../domain/money/card-words.ts';
import { useAuthorize } from '../../domain/money/use-authorize.ts';

/**
 * Which of my cards the share is authorized on, or another one. Opens the bank's page at once where the bank
 * asks: the tap was just made.
 */
export function ChooseCard({
  bookingId,
  payment,
  returnTo,
  timeZone,
  onClose,
}: {
  bookingId: string;
  payment: BookingPayment;
  /** Where adding another card leads back to. */
  returnTo: string;
  timeZone: string;
  onClose: () => void;
}) {
  const { t } = useTranslation(['payments', 'common']);
  const format = useFormat();
  const methods = useCall(paymentMethods, {}, { staleTime: 0, quiet: true });
  const usable = methods.data?.methods.filter(({ state }) => state !== 'expired') ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const methodId = chosen ?? usable.find(({ isDefault }) => isDefault)?.id ?? usable[0]?.id ?? null;
  const adding = useAddCard(returnTo);
  const amount = format.money(payment.amountCents);
  const paying = useAuthorize(timeZone, ({ need, actionUrl }) => {
    if (need === 'confirmation' && actionUrl !== null) location.assign(actionUrl);
    else if (need === null) onClose();
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('payments:cards.choose')}
      description={t('payments:cards.chooseText', { amount })}
      closeLabel={t('common:close')}
      action={
        <div className="flex flex-col gap-2">
          {methodId !== null && (
            <Button full busy={paying.busy} onClick={() => paying.run({ bookingId, methodId })}>
              {t('payments:cards.payWith', { amount })}
            </Button>
          )}
          <Button
            full
            tone={methodId === null ? 'primary' : 'quiet'}
            busy={adding.busy}
            onClick={adding.start}
          >
            {t('payments:cards.another')}
          </Button>
        </div>
      }
    >
      <QueryView query={methods} skeleton={{ rows: 2 }}>
        {() => <CardChoice cards={usable} methodId={methodId} onChoose={setChosen} />}
      </QueryView>
      {adding.form}
    </Dialog>
  );
}

function CardChoice({
  cards,
  methodId,
  onChoose,
}: {
  cards: OutputOf<typeof paymentMethods>['methods'];
  methodId: string | null;
  onChoose: (methodId: string) => void;
}) {
  const { t } = useTranslation('payments');
  const nameOf = useCardName();
  return (
    <RadioList
      label={t('cards.choose')}
      value={methodId}
      options={cards.map((card) => ({
        value: card.id,
        label: nameOf(card),
        detail: t('cards.expires', {
          month: String(card.expiryMonth).padStart(2, '0'),
          year: card.expiryYear,
        }),
      }))}
      onChange={onChoose}
    />
  );
}
