import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { latestLicense, type License } from '#contract/licenses/endpoints.ts';
import { errorWords } from '../../core/errors.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { LicenseChip } from '../../features/people/license-chip.tsx';
import { LicensePhotos } from '../../features/pictures/license-photos.tsx';
import { SentLicense } from '../../features/pictures/sent-license.tsx';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Banner, Card, ErrorState, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Driver License: how far its review has come, and the photos to send. */
export function Page() {
  const { t } = useTranslation(['people', 'common']);
  const { data, error, refetch } = useCall(latestLicense, {}, { quiet: true });
  return (
    <PageLayout title={usePageTitle()} back>
      {data === undefined && error !== null && (
        <ErrorState
          title={t('people:license.failed')}
          text={errorWords(error)}
          retryLabel={t('common:retry')}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined && error === null && <Skeleton label={t('common:loading')} rows={2} />}
      {data !== undefined && <Review license={data.licence} />}
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
