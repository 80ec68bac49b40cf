import { Link } from '@tanstack/react-router';
import { ChevronRight, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteAlert, type Alert, type AlertHit } from '#contract/alerts/endpoints.ts';
import { useAction } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { useTimesWords } from '../../features/alerts/times-words.ts';
import { PlacesLines } from '../../domain/place/places-lines.tsx';
import { useAmount } from '../../domain/money/price-lines.tsx';
import { IconButton } from '../../ui/button.tsx';
import { StateChip } from '../../ui/chips.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Avatar } from '../../ui/people.tsx';
import { Card, rowVariants } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** One of my alerts: what it searches for, and what it has found. */
export function AlertCard({ alert, isNew }: { alert: Alert; isNew: (orderId: string) => boolean }) {
  const { t } = useTranslation('alerts');
  const { when, until } = useTimesWords()(alert.times, alert.timeZone);
  const facts = useFacts(alert);
  const [asked, setAsked] = useState(false);
  return (
    <Card padded={false} className="overflow-hidden">
      <article aria-label={`${alert.from.name} → ${alert.to.name}, ${when}`}>
        <div className="flex items-start gap-2 pt-3 pr-1 pl-4">
          <div className="min-w-0 flex-1 pt-1">
            <p className="flex flex-wrap items-center gap-2 text-small font-semibold text-ink-2">
              {t(`card.${alert.role}`)}
              {alert.ended && (
                <StateChip tone="neutral" icon={null}>
                  {t('card.ended')}
                </StateChip>
              )}
            </p>
            <h2 className="figures text-lead">{when}</h2>
            {until !== null && <p className="text-small text-ink-3">{until}</p>}
          </div>
          <IconButton
            label={t('card.delete')}
            icon={<Trash2 aria-hidden className="size-5" />}
            onClick={() => setAsked(true)}
          />
        </div>
        <div className="flex flex-col gap-2 px-4 pt-2 pb-4">
          <PlacesLines from={alert.from} to={alert.to} timeZone={alert.timeZone} />
          <p className="figures text-small text-ink-2">{facts.join(' · ')}</p>
        </div>
        <Hits alert={alert} isNew={isNew} />
      </article>
      {asked && <DeleteAlert alert={alert} onClose={() => setAsked(false)} />}
    </Card>
  );
}

function Hits({ alert, isNew }: { alert: Alert; isNew: (orderId: string) => boolean }) {
  const { t } = useTranslation('alerts');
  const { hits, total, role } = alert;
  if (total === 0)
    return (
      <p className="border-t border-line bg-page/60 px-4 py-3 text-small text-ink-3">{t('card.none')}</p>
    );
  const title = t(`card.hits.${role}`, { count: total });
  return (
    <div className="border-t border-line">
      <h3 aria-live="polite" className="px-4 pt-3 pb-1 text-body font-semibold text-brand-ink">
        {title}
      </h3>
      <ul aria-label={title} className="divide-y divide-line">
        {hits.map((hit) => (
          <li key={hit.order.id}>
            <HitRow hit={hit} isNew={isNew(hit.order.id)} />
          </li>
        ))}
      </ul>
      {total > hits.length && (
        <p className="border-t border-line px-4 py-2.5 text-small text-ink-3">
          {t('card.more', { count: total - hits.length })}
        </p>
      )}
    </div>
  );
}

function HitRow({ hit, isNew }: { hit: AlertHit; isNew: boolean }) {
  const { t } = useTranslation(['alerts', 'common', 'rides']);
  const format = useFormat();
  const amount = useAmount();
  const { order, pickupAt, fareCents, detourSeconds } = hit;
  const person = order.role === 'driver' ? order.driver : order.passenger;
  const name = person.name || t('common:guest');
  return (
    <Link to="/pages/order/detail" search={{ id: order.id }} className={rowVariants}>
      <Avatar name={name} src={person.avatar} seed={person.id} size={40} />
      <span className="min-w-0 flex-1">
        <span className="figures flex flex-wrap items-center gap-x-2 gap-y-1 text-body font-semibold">
          <span>{format.when(pickupAt, order.timeZone)}</span>
          {isNew && (
            <span className="shrink-0 rounded-full bg-brand px-2 py-0.5 text-small leading-4 font-semibold text-ink">
              {t('alerts:card.new')}
            </span>
          )}
        </span>
        <span className="block truncate text-small text-ink-2">
          {order.from.name} → {order.to.name}
        </span>
        <span className="figures block truncate text-small text-ink-3">
          {[
            name,
            amount(fareCents),
            detourSeconds < 30
              ? t('rides:why.noDetour')
              : t('rides:why.detour', { time: format.duration(detourSeconds) }),
          ].join(' · ')}
        </span>
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-3" />
    </Link>
  );
}

/** What else was asked for. */
function useFacts(alert: Alert): string[] {
  const { t } = useTranslation('alerts');
  const format = useFormat();
  const seats = t('card.seats', { count: alert.seats });
  if (alert.role === 'passenger')
    return [
      seats,
      alert.offerCents === null
        ? t('card.offerOpen')
        : t('card.offer', { amount: format.money(alert.offerCents) }),
    ];
  return [
    seats,
    alert.costCents === 0
      ? t('card.free')
      : t(`card.${alert.priceKind}`, { amount: format.money(alert.costCents) }),
    t('card.detour', { time: format.duration(alert.maxDetourSeconds) }),
  ];
}

function DeleteAlert({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const { t } = useTranslation('alerts');
  const remove = useAction(deleteAlert, {
    invalidates: ['/alert/'],
    onDone: () => {
      onClose();
      toast.done(t('delete.done'));
    },
  });
  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('delete.title')}
      text={t('delete.text', { from: alert.from.name, to: alert.to.name })}
      confirmLabel={t('delete.confirm')}
      cancelLabel={t('delete.keep')}
      busy={remove.busy}
      onConfirm={() => remove.run({ id: alert.id })}
    />
  );
}
