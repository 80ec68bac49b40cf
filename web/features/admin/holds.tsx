import { CreditCard, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listHolds, writeOffDebt, type CardHold } from '#contract/payments/endpoints.ts';
import { useNow } from '../../core/clock.ts';
import { PaginatedList } from '../../core/paginated-list.tsx';
import { dropDraft } from '../../core/drafts.ts';
import { useAction, usePaginatedCall } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { ReasonDialog } from '../../domain/booking/reason-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { StateChip } from '../../ui/chips.tsx';
import { Card, EmptyState } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useMay } from './use-may.ts';

/** A step is late when it is overdue by this time. */
const lateAfterMs = 15 * 60_000;

/** Card holds and payments that are not over, each with what comes next. */
export function Holds() {
  const { t } = useTranslation('admin');
  const pages = usePaginatedCall(listHolds, {}, { items: ({ holds }) => holds, total: ({ total }) => total });
  return (
    <div className="flex flex-col gap-4">
      <p className="text-body text-ink-2">{t('holds.text')}</p>
      <PaginatedList
        pages={pages}
        empty={<EmptyState icon={<CreditCard />} title={t('holds.none')} text={t('holds.noneText')} />}
      >
        {(holds) => (
          <ul className="grid gap-3 lg:grid-cols-2">
            {holds.map((hold) => (
              <li key={hold.id}>
                <HoldCard hold={hold} />
              </li>
            ))}
          </ul>
        )}
      </PaginatedList>
    </div>
  );
}

function HoldCard({ hold }: { hold: CardHold }) {
  const { t } = useTranslation(['admin', 'payments']);
  const format = useFormat();
  const { passenger, driver, kind, state, rideAt, timeZone } = hold;
  const amounts = [
    ['held', hold.authorizedCents],
    ['owed', hold.owedCents],
    ['taken', hold.capturedCents],
    ['refunded', hold.refundedCents],
  ] as const;
  return (
    <Card className="h-full">
      <article className="flex h-full flex-col gap-2">
        <div className="flex items-start justify-between gap-3">
          <div className="min-w-0">
            <h2 className="figures text-lead">{hold.orderNumber}</h2>
            <p className="text-body break-words text-ink-2">
              {t('admin:holds.between', {
                passenger: passenger?.name ?? t('admin:gone'),
                driver: driver?.name ?? t('admin:gone'),
              })}
            </p>
            <p className="figures text-small text-ink-3">{format.when(rideAt, timeZone)}</p>
          </div>
          <p className="figures shrink-0 text-lead">{format.money(hold.amountCents)}</p>
        </div>
        <p className="text-small text-ink-2">
          {[
            t(`payments:kind.${kind}`),
            t(`payments:state.${state}`),
            ...amounts
              .filter(([, amountCents]) => amountCents > 0)
              .map(([word, amountCents]) => `${t(`admin:disputes.${word}`)} ${format.money(amountCents)}`),
          ].join(' · ')}
        </p>
        <NextStep hold={hold} />
        {hold.isDebt && <WriteOff hold={hold} />}
      </article>
    </Card>
  );
}

/** What the server does next and when, or for whom it waits. */
function NextStep({ hold: { next, nextAt, need, trouble, timeZone } }: { hold: CardHold }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const isLate = useNow(60_000) - (nextAt === null ? Infinity : Date.parse(nextAt)) > lateAfterMs;
  const step =
    next === 'passenger' || next === 'driver'
      ? t(`holds.need.${need ?? 'card'}`)
      : next === 'admin'
        ? t('holds.next.admin', { trouble: trouble ?? '' })
        : t(`holds.next.${next}`);
  return (
    <div className="mt-auto flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t border-line pt-2">
      <p className="min-w-0 text-body break-words">{step}</p>
      {nextAt !== null && !isLate && (
        <p className="figures text-small text-ink-2">{format.when(nextAt, timeZone)}</p>
      )}
      {nextAt !== null && isLate && (
        <StateChip tone="danger" icon={<TriangleAlert aria-hidden />}>
          {t('holds.late', { when: format.relative(nextAt) })}
        </StateChip>
      )}
    </div>
  );
}

/** Writes a debt off, with the reason for the log. */
function WriteOff({ hold }: { hold: CardHold }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const may = useMay();
  const [open, setOpen] = useState(false);
  const draft = `writeOff.${hold.id}`;
  const action = useAction(writeOffDebt, {
    invalidates: ['/admin/'],
    onDone: () => {
      dropDraft(draft);
      setOpen(false);
      toast.done(t('holds.writeOffDone'));
    },
  });
  if (!may('money.settle')) return null;
  return (
    <>
      <Button tone="quiet" small onClick={() => setOpen(true)}>
        {t('holds.writeOff')}
      </Button>
      <ReasonDialog
        draft={draft}
        open={open}
        onOpenChange={setOpen}
        title={t('holds.writeOffTitle', { amount: format.money(hold.owedCents) })}
        text={t('holds.writeOffText', { name: hold.passenger?.name ?? t('gone') })}
        choices={[]}
        required
        confirmLabel={t('holds.writeOff')}
        busy={action.busy}
        onConfirm={(note) => action.run({ id: hold.id, note })}
      />
    </>
  );
}
