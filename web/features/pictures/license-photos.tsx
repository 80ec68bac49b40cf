import { useTranslation } from 'react-i18next';
import type { License } from '#contract/licenses/endpoints.ts';
import { maxPictureSize } from '#contract/pictures/endpoints.ts';
import { Button } from '../../ui/button.tsx';
import { PhotoSlot } from './photo-slot.tsx';
import { Progress } from './progress.tsx';
import { sides, useLicensePhotos } from './use-license-photos.ts';

/** Choosing the photos of both sides of a license and sending them for review. */
export function LicensePhotos({ onSent }: { onSent: (license: License) => void }) {
  const { t } = useTranslation('people');
  const { photos, choose, busy, send } = useLicensePhotos(onSent);
  return (
    <>
      <p className="text-small text-ink-3">{t('license.hint', { size: maxPictureSize })}</p>
      <div className="flex flex-col gap-4">
        {sides.map((side) => {
          const { preview, share, error } = photos[side];
          const words = { side: t(`license.sides.${side}`) };
          return (
            <PhotoSlot
              key={side}
              title={t(`license.${side}`)}
              chooseLabel={t('license.choose', words)}
              changeLabel={t('license.change', words)}
              dropHint={t('license.drop')}
              preview={preview}
              previewLabel={t('license.preview', words)}
              error={error}
              disabled={busy}
              multiple={side === 'front'}
              onFiles={(files) => void choose(side, files)}
            >
              {share !== null && <Progress label={t('license.sending', words)} share={share} />}
            </PhotoSlot>
          );
        })}
      </div>
      <p className="text-small text-ink-3">{t('license.privacy')}</p>
      <Button full busy={busy} onClick={() => void send()}>
        {t('license.send')}
      </Button>
    </>
  );
}
