import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Place } from '#contract/units.ts';
import { lazyPart } from '../../core/lazy-part.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const Choice = lazyPart(
  async () => (await import('./share-place-choice.tsx')).SharePlaceChoice,
  ['chat', 'geo'],
);

/** Chooses the place to share in a chat. */
export function SharePlace({
  open,
  onClose,
  onChosen,
}: {
  open: boolean;
  onClose: () => void;
  onChosen: (place: Place) => void;
}) {
  const { t } = useTranslation(['chat', 'common']);
  return (
    <Dialog open={open} onOpenChange={onClose} title={t('chat:sharePlace')} closeLabel={t('common:close')}>
      {open && (
        <Suspense fallback={<Skeleton label={t('common:loading')} rows={4} kind="rows" />}>
          <Choice onChosen={onChosen} />
        </Suspense>
      )}
    </Dialog>
  );
}
