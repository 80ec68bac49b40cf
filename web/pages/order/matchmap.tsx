import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '#contract/define.ts';
import { matchMap, matchPair, orderDetail } from '#contract/rides/endpoints.ts';
import type { Order, Ride } from '#contract/rides/views.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView, type Read } from '../../core/query-view.tsx';
import { MapView } from '../../map/map-view.tsx';
import { BookingAnswer } from '../../features/matching/booking-answer.tsx';
import { CandidateActions } from '../../features/matching/candidate-actions.tsx';
import { MatchLegend } from '../../features/matching/match-legend.tsx';
import { useMatchDrawing } from '../../features/matching/use-match-drawing.ts';
import { MatchSummary, useAgreedPair, usePair } from '../../features/matching/match-summary.tsx';
import { OrderPending } from '../../features/rides/detail/order-pending.tsx';
import { MapScreen } from '../../map/map-screen.tsx';
import { Sheet } from '../../ui/sheet.tsx';

type Lines = OutputOf<typeof matchMap>;

/** One ride and one request on the map: both ways, where they meet and part, and what I can do about it. */
export function Page() {
  const { rideId = '', requestId = '' } = usePageSearch('/pages/order/matchmap');
  const enabled = rideId !== '' && requestId !== '';
  const lines = useCall(matchMap, { rideId, requestId }, { enabled, quiet: true });
  const ride = useCall(orderDetail, { id: rideId }, { enabled, quiet: true });
  const request = useCall(orderDetail, { id: requestId }, { enabled, quiet: true });
  const own = [ride.data?.order, request.data?.order].find((order) => order?.mine);
  const trouble = lines.error ?? ride.error ?? (own === undefined ? request.error : null);

  const driver = ride.data?.order;

  if (!enabled) {
    return (
      <MatchScreen lines={undefined}>
        <OrderPending id="" detail={lines} />
      </MatchScreen>
    );
  }
  const pair = own && driver?.role === 'driver' && trouble === null ? { own, driver } : undefined;
  if (pair) return <Pair own={pair.own} ride={pair.driver} requestId={requestId} lines={lines.data} />;
  return (
    <MatchScreen lines={lines.data}>
      <PairPending
        error={trouble}
        refetch={() => Promise.all([lines, ride, request].map((each) => each.refetch()))}
      />
    </MatchScreen>
  );
}

/** Before the two are known, or why they are not. */
function PairPending(read: Pick<Read<never>, 'error' | 'refetch'>) {
  const { t } = useTranslation('planning');
  return (
    <QueryView
      query={{ data: undefined, ...read }}
      failed={t('map.failed')}
      skeleton={{ rows: 1, kind: 'cards' }}
    >
      {() => null}
    </QueryView>
  );
}

/** The two as a match that is still to be made, or as they have agreed. */
function Pair({
  own,
  ride,
  requestId,
  lines,
}: {
  own: Order;
  ride: Ride;
  requestId: string;
  lines: Lines | undefined;
}) {
  const { t } = useTranslation('planning');
  const pairOf = usePair();
  const agreedPairOf = useAgreedPair();
  const side = own.role;
  const otherId = side === 'driver' ? requestId : ride.id;
  const match = useCall(matchPair, { id: own.id, otherId }, { quiet: true });
  const candidate = match.data?.candidate ?? null;
  const booking = own.bookings.findLast((each) => each.rideId === ride.id && each.requestId === requestId);

  if (candidate) {
    return (
      <MatchScreen
        lines={lines}
        action={
          <CandidateActions candidate={candidate} rideId={ride.id} requestId={requestId} side={side} onMap />
        }
      >
        <MatchSummary pair={pairOf(candidate)} side={side} />
      </MatchScreen>
    );
  }
  if (booking && !match.isPending) {
    return (
      <MatchScreen
        lines={lines}
        action={<BookingAnswer booking={booking} side={side} timeZone={ride.timeZone} full />}
      >
        <MatchSummary pair={agreedPairOf(booking, ride)} side={side} />
      </MatchScreen>
    );
  }
  return (
    <MatchScreen lines={lines}>
      {match.data === undefined ? (
        <PairPending error={match.error} refetch={match.refetch} />
      ) : (
        <p className="text-body text-ink-2">{t('map.noFit')}</p>
      )}
    </MatchScreen>
  );
}

/** The map with both ways, and a sheet that says what its lines mean. */
function MatchScreen({
  lines,
  action,
  children,
}: {
  lines: Lines | undefined;
  action?: ReactNode;
  children: ReactNode;
}) {
  const { t } = useTranslation('common');
  const title = usePageTitle();
  const drawing = useMatchDrawing(lines);
  return (
    <MapScreen
      title={title}
      back
      map={<MapView label={t('map.label')} {...drawing} />}
      sheet={
        <Sheet
          label={title}
          words={{ bigger: t('sheet.bigger'), smaller: t('sheet.smaller') }}
          action={action}
        >
          <div className="flex flex-col gap-4">
            {children}
            {lines && <MatchLegend walks={lines.walks.some((walk) => walk.length > 0)} />}
          </div>
        </Sheet>
      }
    />
  );
}
