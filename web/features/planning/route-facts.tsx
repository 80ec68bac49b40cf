import { Route } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../core/use-format.ts';
import { TextButton } from '../../ui/button.tsx';
import { Banner } from '../../ui/surfaces.tsx';
import type { PlannedRoute } from './use-planned-route.ts';

/** Minutes and miles of the route in one line, and the main streets; or that it could not be read. */
export function RouteFacts({ route }: { route: PlannedRoute }) {
  const { t } = useTranslation(['planning', 'common']);
  const format = useFormat();
  if (route.failed) {
    return (
      <Banner
        kind="danger"
        action={
          <TextButton tone="danger" onClick={route.failed}>
            {t('common:retry')}
          </TextButton>
        }
      >
        {t('planning:way.failed')}
      </Banner>
    );
  }
  if (route.pending)
    return (
      <output className="min-h-11 animate-appear text-body text-ink-3">{t('planning:way.pending')}</output>
    );
  if (!route.quote) return null;
  const { route: fastest } = route.quote;
  const streets = mainStreets(fastest.streets, fastest.estimated);
  return (
    <p className="flex items-start gap-3">
      <Route aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-2" />
      <span className="min-w-0">
        <span className="figures block text-lead font-semibold">
          {format.duration(fastest.seconds)} · {format.distance(fastest.metres)}
          {fastest.estimated && <span className="font-normal text-ink-3"> · {t('common:estimated')}</span>}
        </span>
        {streets.length > 0 && (
          <span className="block truncate text-small text-ink-3">
            {t('planning:way.via', { streets: streets.join(', ') })}
          </span>
        )}
      </span>
    </p>
  );
}

/** The streets that tell one route from another: not the one it starts in, nor the one it ends in. */
function mainStreets(streets: readonly string[], estimated: boolean): string[] {
  return (streets.length > 3 ? streets.slice(1, estimated ? undefined : -1) : streets).slice(-3);
}
