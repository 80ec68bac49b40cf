import { useTranslation } from 'react-i18next';
import type { Place } from '#contract/units.ts';
import { PlaceChooser } from '../../features/geo/place-chooser.tsx';
import { FullDialog } from '../../ui/dialog-box.tsx';

/** The search for a place, over the page that asks for it. */
export function ChooserDialog({
  kind,
  near,
  onClose,
  onChosen,
}: {
  /** What the place is for. */
  kind: 'from' | 'via' | 'to' | 'shortcut';
  near: Place | null;
  onClose: () => void;
  onChosen: (place: Place) => void;
}) {
  const { t } = useTranslation('geo');
  const title = t(`choose.${kind}`);
  return (
    <FullDialog open onOpenChange={onClose} title={title}>
      {/* The next place begins with an empty search. */}
      <PlaceChooser
        key={title}
        title={title}
        near={near && [near.lon, near.lat]}
        onChosen={onChosen}
        onBack={onClose}
      />
    </FullDialog>
  );
}
