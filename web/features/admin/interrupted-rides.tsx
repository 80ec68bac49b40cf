import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listBrokenRides, type BrokenRide } from '#contract/trips/interrupted-rides.ts';
import { PaginatedList } from '../../core/paginated-list.tsx';
import { usePaginatedCall } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { StateChip } from '../../ui/chips.tsx';
import { Card, EmptyState } from '../../ui/surfaces.tsx';
import { EndRide } from './end-ride.tsx';
import { SettleDialog, type InterruptedPlace } from './settle-interrupted.tsx';

/** Rides that ended on the way: why and where, and the shares of those on board, for an admin to decide. */
export function InterruptedRides({ onShowUser }: { onShowUser: (name: string) => void }) {
  const { t } = useTranslation('admin');
  const [settling, setSettling] = useState<InterruptedPlace | null>(null);
  const pages = usePaginatedCall(
    listBrokenRides,
    {},
    { items: ({ rides }) => rides, total: ({ total }) => total },
  );
  return (
    <div className="flex flex-col gap-5">
      <EndRide />
      <PaginatedList
        pages={pages}
        empty={<EmptyState icon={<TriangleAlert />} title={t('broken.none')} text={t('broken.noneText')} />}
      >
        {(rides) => (
          <ul className="flex flex-col gap-3">
            {rides.map((ride) => (
              <li key={ride.rideId}>
                <RideCard ride={ride} onShowUser={onShowUser} onSettle={setSettling} />
              </li>
            ))}
          </ul>
        )}
      </PaginatedList>
      {settling !== null && (
        <SettleDialog key={settling.bookingId} place={settling} onClose={() => setSettling(null)} />
      )}
    </div>
  );
}

function RideCard({
  ride,
  onShowUser,
  onSettle,
}: {
  ride: BrokenRide;
  onShowUser: (name: string) => void;
  onSettle: (place: InterruptedPlace) => void;
}) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const isOpen = ride.aboard.some(({ maySettle }) => maySettle);
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div className="min-w-0">
          <h2 className="figures text-lead">{ride.orderNumber}</h2>
          <p className="text-body text-ink-2">
            {ride.from} → {ride.to}
          </p>
          <p className="figures text-small text-ink-3">
            {t(`broken.by.${ride.by}`)} · {format.when(ride.at, ride.timeZone)}
          </p>
        </div>
        <StateChip tone={isOpen ? 'warn' : 'neutral'} icon={<TriangleAlert aria-hidden />}>
          {t(`broken.kind.${ride.kind}`)}
        </StateChip>
      </div>
      <p className="text-body">{t(`broken.place.${ride.source}`, { place: ride.place })}</p>
      {ride.words !== '' && (
        <blockquote className="rounded-control bg-page px-4 py-3 text-body break-words whitespace-pre-wrap">
          {ride.words}
        </blockquote>
      )}
      <div className="flex flex-wrap items-center gap-x-3">
        {ride.driver !== null && (
          <TextButton onClick={() => onShowUser(ride.driver?.name ?? '')}>{ride.driver.name}</TextButton>
        )}
        <span className="text-small text-ink-3">{t('broken.ofDriver', { count: ride.ofDriver })}</span>
      </div>
      {ride.aboard.length === 0 ? (
        <p className="text-body text-ink-3">{t('broken.nobody')}</p>
      ) : (
        <ul className="flex flex-col gap-3">
          {ride.aboard.map((place) => (
            <li key={place.bookingId} className="border-t border-line pt-3">
              <AboardLine place={place} timeZone={ride.timeZone} onSettle={() => onSettle(place)} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function AboardLine({
  place,
  timeZone,
  onSettle,
}: {
  place: InterruptedPlace;
  timeZone: string;
  onSettle: () => void;
}) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { passenger, dispute, payment, settledCents, fareCents, shareCents, note } = place;
  const captureAt = payment?.captureAt ?? null;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <span className="text-body font-semibold">{passenger?.name ?? t('gone')}</span>
        <span className="figures text-body">
          {fareCents === 0
            ? t('broken.free')
            : settledCents === null
              ? t('broken.proposed', { share: format.money(shareCents), fare: format.money(fareCents) })
              : t('broken.settled', { amount: format.money(settledCents) })}
        </span>
      </div>
      <p className="text-small text-ink-2">
        {[
          t('broken.rode', {
            ridden: format.distance(place.riddenMetres),
            way: format.distance(place.routeMetres),
          }),
          ...(settledCents === null && captureAt !== null && dispute === null
            ? [t('broken.takenOn', { when: format.whenInSentence(captureAt, timeZone) })]
            : []),
          ...(note === '' ? [] : [note]),
        ].join(' · ')}
      </p>
      {dispute !== null && (
        <blockquote className="rounded-small bg-page px-3 py-2 text-body break-words whitespace-pre-wrap">
          {t('broken.objects', { text: dispute.text })}
          {dispute.answer !== '' && (
            <span className="block pt-1">{t('broken.answers', { text: dispute.answer })}</span>
          )}
          {settledCents === null && (
            <span className="block pt-1 text-small text-ink-3">{t('broken.lapses')}</span>
          )}
        </blockquote>
      )}
      {place.maySettle && (
        <div>
          <Button small onClick={onSettle}>
            {t('broken.settle')}
          </Button>
        </div>
      )}
    </div>
  );
}
