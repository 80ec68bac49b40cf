import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Place } from '#contract/units.ts';
import { usePageSearch } from '../../core/navigation.ts';
import { homeOf } from '../../core/side.ts';
import { PlaceChooser } from '../../features/geo/place-chooser.tsx';
import { driverStore, passengerStore, useStoredPlan } from '../../features/planning/draft.ts';
import { chosenPart, knownPlace, placeKind } from '../../features/planning/place-fields.ts';

/** Chooses a place of the next ride or request: `?for=driver&field=from`. */
export function Page() {
  const { t } = useTranslation('geo');
  const navigate = useNavigate();
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const { for: chosenFor, field = 'from' } = usePageSearch('/pages/address/address');
  const side = chosenFor === 'passenger' ? 'passenger' : 'driver';
  const [plan, change] = useStoredPlan(side === 'driver' ? driverStore : passengerStore);
  const near = knownPlace(plan, field);

  const goBack = () => {
    if (canGoBack) router.history.back();
    else void navigate({ to: homeOf[side], replace: true });
  };
  const keep = (place: Place) => {
    change(chosenPart(plan, field, place));
    // The destination of a new plan is the next thing one is asked anyway; then the plan is shown.
    if (field === 'from' && canGoBack && plan.to === null)
      void navigate({ to: '/pages/address/address', search: { for: side, field: 'to' }, replace: true });
    else void navigate({ to: homeOf[side], replace: true });
  };

  return (
    <PlaceChooser
      key={`${side} ${field}`}
      title={t(`choose.${placeKind(field)}`)}
      near={near && [near.lon, near.lat]}
      onChosen={keep}
      onBack={goBack}
    />
  );
}
