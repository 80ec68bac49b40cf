import { useTranslation } from 'react-i18next';
import type { License } from '#contract/licenses/endpoints.ts';
import { useFormat } from '../../core/use-format.ts';
import { Section } from '../../ui/surfaces.tsx';
import { sides } from './use-license-photos.ts';

/** The photos as they were sent; only their owner gets their addresses here. */
export function SentLicense({ license }: { license: License }) {
  const { t } = useTranslation('people');
  const format = useFormat();
  if (license.front === null && license.back === null) return null;
  return (
    <Section title={t('license.sentPhotos')}>
      <ul className="grid grid-cols-2 gap-3">
        {sides.map((side) => {
          const address = license[side];
          return (
            <li key={side} className="flex flex-col gap-1">
              {address !== null && (
                <img
                  src={address}
                  alt={t('license.preview', { side: t(`license.sides.${side}`) })}
                  className="aspect-[1.6] w-full rounded-small bg-surface object-contain shadow-card"
                />
              )}
              <span className="text-small text-ink-3">{t(`license.${side}`)}</span>
            </li>
          );
        })}
      </ul>
      <p className="text-small text-ink-3">
        {t('license.sentAt', { when: format.relative(license.sentAt) })}
      </p>
    </Section>
  );
}
