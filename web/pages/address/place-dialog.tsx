import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { Place } from '#contract/units.ts';
import { lazyPart } from '../../core/lazy-part.ts';
import { usePageSearch } from '../../core/navigation.ts';
import type { PlaceField } from '../../core/page-search.ts';
import { chosenPart, isPlaceField, knownPlace, placeKind } from '../../features/planning/place-fields.ts';
import type { PlanValues } from '../../features/planning/plan-values.ts';

const ChooserDialog = lazyPart(async () => (await import('./chooser-dialog.tsx')).ChooserDialog, ['geo']);

/**
 * The place that a page is asking for. Its address says which (`?choose=from`), so that going back closes the
 * chooser and a reload keeps it.
 */
function usePlaceChoice() {
  const navigate = useNavigate();
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const { choose: field } = usePageSearch('/pages/order/confirm');
  const show = (choose: PlaceField | 'place' | undefined, replace: boolean) =>
    void navigate({ to: '.', search: (search) => ({ ...search, choose }), replace });
  return {
    field,
    open: (next: PlaceField | 'place') => show(next, false),
    goOn: (next: PlaceField) => show(next, true),
    close: () => {
      if (canGoBack) router.history.back();
      else show(undefined, true);
    },
  };
}

/** Opens the place chooser over this page: `PlanPlaceDialog` or `PlaceDialog` shows it. */
export const useChoosePlace = (): ((field: PlaceField | 'place') => void) => usePlaceChoice().open;

/** Chooses a place of a plan, over the page with its form. */
export function PlanPlaceDialog({
  plan,
  change,
  goesOn = false,
}: {
  plan: Pick<PlanValues, 'from' | 'via' | 'to'>;
  change: (part: Partial<PlanValues>) => void;
  /** Asks for the destination next, where there is none: the next thing one is asked anyway. */
  goesOn?: boolean;
}) {
  const { field, goOn, close } = usePlaceChoice();
  if (!isPlaceField(field)) return null;
  return (
    <Suspense>
      <ChooserDialog
        kind={placeKind(field)}
        near={knownPlace(plan, field)}
        onClose={close}
        onChosen={(place) => {
          change(chosenPart(plan, field, place));
          if (goesOn && field === 'from' && plan.to === null) goOn('to');
          else close();
        }}
      />
    </Suspense>
  );
}

/** Chooses the one place of a page, such as that of an event. */
export function PlaceDialog({ place, onChosen }: { place: Place | null; onChosen: (place: Place) => void }) {
  const { field, close } = usePlaceChoice();
  if (field !== 'place') return null;
  return (
    <Suspense>
      <ChooserDialog
        kind="shortcut"
        near={place}
        onClose={close}
        onChosen={(chosen) => {
          onChosen(chosen);
          close();
        }}
      />
    </Suspense>
  );
}
