import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { latestLicense, type License } from '#contract/licenses/endpoints.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { LicenseChip } from '../../features/people/license-chip.tsx';
import { LicensePhotos } from '../../features/pictures/license-photos.tsx';
import { SentLicense } from '../../features/pictures/sent-license.tsx';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Banner, Card, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Driver License: how far its review has come, and the photos to send. */
export function Page() {
  const { t } = useTranslation('people');
  const latest = useCall(latestLicense, {}, { quiet: true });
  return (
    <PageLayout title={usePageTitle()} back>
      <QueryView query={latest} failed={t('license.failed')} skeleton={{ rows: 2 }}>
        {({ license }) => <Review license={license} />}
      </QueryView>
    </PageLayout>
  );
}

function Review({ license }: { license: License | null }) {
  const { t } = useTranslation('people');
  // Which review the person answers with new photos: once it has moved on, the form is gone.
  const [replacing, setReplacing] = useState<string | null>(null);
  const status = license?.status ?? 'none';
  const isAsked = license === null || replacing === license.id;
  return (
    <>
      <Card className="flex flex-col items-start gap-3">
        <output>
          <LicenseChip license={status} />
        </output>
        <p className="text-body text-ink-2">{t(`license.${status}Text`)}</p>
        {license !== null && license.result !== '' && (
          <div className="w-full rounded-control bg-danger-soft px-4 py-3">
            <p className="text-small font-semibold text-danger">{t('license.reason')}</p>
            <p className="text-body break-words">{license.result}</p>
          </div>
        )}
      </Card>
      {isAsked ? (
        <>
          {status === 'Accepted' && <Banner kind="warn">{t('license.replaces')}</Banner>}
          <LicensePhotos
            onSent={() => {
              setReplacing(null);
              toast.done(t('license.sent'));
            }}
          />
          {license !== null && (
            <Button tone="quiet" full onClick={() => setReplacing(null)}>
              {t('license.keepOld')}
            </Button>
          )}
        </>
      ) : (
        <>
          <SentLicense license={license} />
          <Button
            tone={status === 'Reject' ? 'primary' : 'quiet'}
            full
            onClick={() => setReplacing(license.id)}
          >
            {t('license.again')}
          </Button>
        </>
      )}
      <Section title={t('license.what')}>
        <p className="text-body text-ink-2">{t('license.whatText')}</p>
      </Section>
      <Link to="/pages/car/car" className={buttonVariants({ tone: 'quiet', full: true })}>
        {t('license.vehicles')}
      </Link>
    </>
  );
}
