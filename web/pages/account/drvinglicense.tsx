import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../base/navigation.ts';
import { LicenceChip } from '../../rooms/people/licence-chip.tsx';
import { WithProfile } from '../../rooms/people/profile-query.tsx';
import { buttonLook } from '../../ui/button.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Banner, Card, Section } from '../../ui/surfaces.tsx';

/** Driver License: how far its review has come and what that means. */
export function Page() {
  const { t } = useTranslation('people');
  return (
    <Frame title={usePageTitle()} back>
      <WithProfile rows={2}>
        {({ licence }) => (
          <>
            <Card className="flex flex-col items-start gap-3">
              <LicenceChip licence={licence} />
              <p className="text-body text-ink-2">{t(`license.${licence}Text`)}</p>
            </Card>
            <Section title={t('license.what')}>
              <p className="text-body text-ink-2">{t('license.whatText')}</p>
            </Section>
            <Banner kind="info">{t('license.noUpload')}</Banner>
            <Link to="/pages/car/car" className={buttonLook({ tone: 'quiet', full: true })}>
              {t('license.vehicles')}
            </Link>
          </>
        )}
      </WithProfile>
    </Frame>
  );
}
