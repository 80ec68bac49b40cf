import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { matchMap, orderDetail } from '#contract/rides/endpoints.ts';
import type { Candidate, Order } from '#contract/rides/views.ts';
import { errorWords } from '../../base/errors.ts';
import { usePageQuery, usePageTitle } from '../../base/navigation.ts';
import { useCall } from '../../base/queries.ts';
import { MapView } from '../../map/map-view.tsx';
import { CandidateActions } from '../../rooms/matching/candidate-actions.tsx';
import { MatchLegend } from '../../rooms/matching/match-legend.tsx';
import { useCandidate } from '../../rooms/matching/use-candidate.ts';
import { useMatchDrawing } from '../../rooms/matching/use-match-drawing.ts';
import { MatchSummary } from '../../rooms/rides/match-summary.tsx';
import { MapScreen } from '../../shell/map-screen.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { ErrorState, Skeleton } from '../../ui/surfaces.tsx';

export function Page() {
  const { t } = useTranslation(['planning', 'common']);
  const title = usePageTitle();
  const { rideId = '', requestId = '' } = usePageQuery();
  const lines = useCall(matchMap, { rideId, requestId }, { quiet: true });
  const ride = useCall(orderDetail, { id: rideId }, { quiet: true });
  const request = useCall(orderDetail, { id: requestId }, { quiet: true });
  const drawing = useMatchDrawing(lines.data);
  const own = [ride.data?.order, request.data?.order].find((order) => order?.mine);

  const sheet = (content: ReactNode, action?: ReactNode) => (
    <MapScreen
      title={title}
      back
      map={<MapView label={t('common:map.label')} {...drawing} />}
      sheet={
        <Sheet
          label={title}
          words={{ bigger: t('common:sheet.bigger'), smaller: t('common:sheet.smaller') }}
          action={action}
        >
          {content}
        </Sheet>
      }
    />
  );

  const trouble = lines.error ?? (own === undefined ? (ride.error ?? request.error) : null);
  if (trouble) {
    return sheet(
      <ErrorState
        title={t('planning:map.failed')}
        text={errorWords(trouble)}
        retryLabel={t('common:retry')}
        onRetry={() => {
          void lines.refetch();
          void ride.refetch();
          void request.refetch();
        }}
      />,
    );
  }
  if (!own) return sheet(<Skeleton label={t('common:loading')} rows={1} kind="cards" />);
  return (
    <Fit own={own} rideId={rideId} requestId={requestId}>
      {(candidate, pending) =>
        candidate === null
          ? sheet(
              pending ? (
                <Skeleton label={t('common:loading')} rows={1} kind="cards" />
              ) : (
                <div className="flex flex-col gap-4">
                  <MatchLegend walks={lines.data?.walks.some((walk) => walk.length > 0) ?? false} />
                  <p className="text-body text-ink-2">{t('planning:map.agreed')}</p>
                </div>
              ),
            )
          : sheet(
              <div className="flex flex-col gap-4">
                <MatchSummary candidate={candidate} side={own.role} />
                <MatchLegend walks={lines.data?.walks.some((walk) => walk.length > 0) ?? false} />
              </div>,
              <CandidateActions
                candidate={candidate}
                rideId={rideId}
                requestId={requestId}
                side={own.role}
                onMap
              />,
            )
      }
    </Fit>
  );
}

/** Hands on the candidate that these two make, or null where they are past matching. */
function Fit({
  own,
  rideId,
  requestId,
  children,
}: {
  own: Order;
  rideId: string;
  requestId: string;
  children: (candidate: Candidate | null, pending: boolean) => ReactNode;
}) {
  const { candidate, pending } = useCandidate(own.id, own.role === 'driver' ? requestId : rideId, own.role);
  return children(candidate, pending);
}
