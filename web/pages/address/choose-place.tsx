import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Place } from '#contract/units.ts';
import { useSession } from '../../core/session.ts';
import type { PageSearch } from '../../core/page-search.ts';
import type { LonLat } from '../../map/shapes.ts';
import { useEventDraft } from '../../features/events/event-draft.ts';
import { PlaceChooser } from '../../features/geo/place-chooser.tsx';
import { useShortcutDraft } from '../../features/geo/shortcut-draft.ts';
import {
  driverStore,
  editedRequestStore,
  editedRideStore,
  passengerStore,
  proposalStore,
  useStoredPlan,
} from '../../features/planning/draft.ts';

/** Whose field is being chosen, as query parameters name it. */
type ChosenFor = NonNullable<PageSearch<'/pages/address/address'>['for']>;
export type ChosenField = NonNullable<PageSearch<'/pages/address/address'>['field']>;
const homes = {
  driver: '/',
  passenger: '/pages/passenger/passenger',
  editedRide: '/pages/order/order',
  editedRequest: '/pages/order/order',
  proposal: '/pages/order/order',
  shortcut: '/pages/address/editor',
  event: '/pages/events/edit',
} as const;

/**
 * Chooses one end of a plan, or the place of a shortcut or an event; keeps it there and returns to the page
 * that asked.
 */
export function ChoosePlace({ chosenFor, field }: { chosenFor: ChosenFor; field: ChosenField }) {
  const { t } = useTranslation('geo');
  const router = useRouter();
  const navigate = useNavigate();
  const canGoBack = useCanGoBack();
  const drafts = {
    driver: useStoredPlan(driverStore),
    passenger: useStoredPlan(passengerStore),
    editedRide: useStoredPlan(editedRideStore),
    editedRequest: useStoredPlan(editedRequestStore),
    proposal: useStoredPlan(proposalStore),
  };
  const { signedIn, user } = useSession();
  const [shortcut, changeShortcut] = useShortcutDraft();
  const [event, changeEvent] = useEventDraft();

  const alone = chosenFor === 'shortcut' || chosenFor === 'event';
  const plan = alone ? null : drafts[chosenFor][0];
  const stop = field === 'from' || field === 'to' ? null : Number(field.slice(3));
  const stops = plan !== null && 'via' in plan ? plan.via : [];
  const chosen = field === 'from' || field === 'to' ? plan?.[field] : stops[stop ?? 0];
  const single = chosenFor === 'event' ? event.place : shortcut.place;
  const known = plan === null ? single : (chosen ?? plan.from ?? plan.to);
  const near: LonLat | null = known === null ? null : [known.lon, known.lat];

  const end = field === 'to' ? 'to' : 'from';

  const goBack = () => {
    if (canGoBack) router.history.back();
    else void navigate({ to: homes[chosenFor], replace: true });
  };
  const keep = (place: Place) => {
    if (chosenFor === 'shortcut') changeShortcut({ place });
    else if (chosenFor === 'event') changeEvent({ place });
    else if (stop !== null) {
      if (chosenFor === 'driver' || chosenFor === 'editedRide' || chosenFor === 'proposal')
        drafts[chosenFor][1]({ via: [...stops.slice(0, stop), place, ...stops.slice(stop + 1)] });
    } else drafts[chosenFor][1]({ [field]: place });
    if (!asksForDestination()) goBack();
  };
  /** Goes on to the destination of a new plan that has none yet: the next thing one is asked anyway. */
  const asksForDestination = (): boolean => {
    if (field !== 'from' || !canGoBack || plan?.to != null) return false;
    if (chosenFor !== 'driver' && chosenFor !== 'passenger') return false;
    if (signedIn && !user.profileMissing)
      void navigate({
        to: '/pages/address/address',
        search: { for: chosenFor, field: 'to' },
        replace: true,
      });
    else void navigate({ to: homes[chosenFor], search: { choose: 'to' }, replace: true });
    return true;
  };

  return (
    <PlaceChooser
      key={`${chosenFor} ${field}`}
      title={t(`choose.${alone ? 'shortcut' : stop === null ? end : 'via'}`)}
      near={near}
      onChosen={keep}
      onBack={goBack}
    />
  );
}
