import { Check, Hourglass, Inbox, OctagonX } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listDeliveries, sendAgain, type Webhook, type WebhookDelivery } from '#contract/connect/webhooks.ts';
import { PaginatedList } from '../../../core/paginated-list.tsx';
import { useAction, usePaginatedCall } from '../../../core/queries.ts';
import { useFormat } from '../../../core/use-format.ts';
import { Button } from '../../../ui/button.tsx';
import { StateChip } from '../../../ui/chips.tsx';
import { SegmentedControl } from '../../../ui/choices.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/surfaces.tsx';
import { toast } from '../../../ui/toasts.tsx';

const filters = ['all', 'waiting', 'failed'] as const;

/** The deliveries of one webhook with the answers, and a button to send each again. */
export function Deliveries({
  webhook,
  timeZone,
  onClose,
}: {
  webhook: Webhook | null;
  timeZone: string;
  onClose: () => void;
}) {
  const { t } = useTranslation(['connect', 'common']);
  return (
    <Dialog
      open={webhook !== null}
      onOpenChange={(open) => !open && onClose()}
      title={t('connect:webhooks.logTitle', { name: webhook?.name ?? '' })}
      description={t('connect:webhooks.logText')}
      closeLabel={t('common:close')}
    >
      {webhook !== null && <Log key={webhook.id} webhookId={webhook.id} timeZone={timeZone} />}
    </Dialog>
  );
}

function Log({ webhookId, timeZone }: { webhookId: string; timeZone: string }) {
  const { t } = useTranslation('connect');
  const [only, setOnly] = useState<(typeof filters)[number]>('all');
  const pages = usePaginatedCall(
    listDeliveries,
    { webhookId, only },
    { items: ({ deliveries }) => deliveries, total: ({ total }) => total },
  );
  return (
    <div className="flex flex-col gap-3">
      <SegmentedControl
        label={t('webhooks.filter')}
        options={filters.map((value) => ({ value, label: t(`webhooks.filters.${value}`) }))}
        value={only}
        onChange={setOnly}
      />
      <PaginatedList
        pages={pages}
        empty={<EmptyState icon={<Inbox />} title={t('webhooks.logNone')} text={t('webhooks.logNoneText')} />}
      >
        {(rows) => (
          <ul className="divide-y divide-line">
            {rows.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} timeZone={timeZone} />
            ))}
          </ul>
        )}
      </PaginatedList>
    </div>
  );
}

const icons = {
  delivered: <Check aria-hidden />,
  waiting: <Hourglass aria-hidden />,
  failed: <OctagonX aria-hidden />,
};
const tones = { delivered: 'brand', waiting: 'warn', failed: 'danger' } as const;

function DeliveryRow({ delivery, timeZone }: { delivery: WebhookDelivery; timeZone: string }) {
  const { t } = useTranslation('connect');
  const format = useFormat();
  const { id, event, state, createdAt, tries, status, trouble, nextAt, body } = delivery;
  const again = useAction(sendAgain, {
    invalidates: ['/admin/'],
    onDone: () => toast.done(t('webhooks.againDone')),
  });
  const facts = [
    format.when(createdAt, timeZone),
    t('webhooks.tries', { count: tries }),
    status === null ? '' : t('webhooks.answer', { status }),
    nextAt === null || tries === 0
      ? ''
      : t('webhooks.next', { when: format.whenInSentence(nextAt, timeZone) }),
  ];
  return (
    <li className="flex flex-col gap-1 py-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="text-body font-semibold">{t(`events.${event}`)}</span>
        <StateChip tone={tones[state]} icon={icons[state]}>
          {t(`webhooks.deliveryStates.${state}`)}
        </StateChip>
      </div>
      <p className="text-small text-ink-3">{facts.filter(Boolean).join(' · ')}</p>
      {trouble !== '' && <p className="text-small break-words text-danger">{trouble}</p>}
      <details className="text-small">
        <summary className="min-h-11 cursor-pointer content-center text-brand-ink">
          {t('webhooks.body')}
        </summary>
        <p className="font-mono break-all text-ink-2">{id}</p>
        <p className="rounded-control bg-ink/5 p-3 font-mono break-all text-ink-2">{body}</p>
      </details>
      <div>
        <Button tone="quiet" small busy={again.busy} onClick={() => again.run({ id })}>
          {t('webhooks.again')}
        </Button>
      </div>
    </li>
  );
}
