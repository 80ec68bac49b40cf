import { Link } from '@tanstack/react-router';
import { MailOpen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { readOutbox } from '#contract/demo/endpoints.ts';
import { errorWords } from '../../core/errors.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { EmailCard } from '../../features/demo/email.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/surfaces.tsx';

const refreshMs = 3000;

/** The emails that a mail server would have sent. */
export function Page() {
  const { t } = useTranslation(['demo', 'common']);
  const { data, error, refetch } = useCall(readOutbox, {}, { quiet: true, refetchInterval: refreshMs });
  return (
    <PageLayout title={usePageTitle()} back>
      {data === undefined && error !== null && (
        <ErrorState
          title={t('demo:outbox.failed')}
          text={errorWords(error)}
          retryLabel={t('common:retry')}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined && error === null && <Skeleton label={t('common:loading')} kind="cards" />}
      {data?.letters.length === 0 && (
        <EmptyState
          icon={<MailOpen />}
          title={t('demo:outbox.emptyTitle')}
          text={t('demo:outbox.emptyText')}
          action={
            <Link to="/pages/auth/signup" className={buttonVariants({ tone: 'quiet', small: true })}>
              {t('demo:outbox.emptyAction')}
            </Link>
          }
        />
      )}
      {data !== undefined && data.letters.length > 0 && (
        <>
          <p className="text-body text-ink-2">{t('demo:outbox.intro')}</p>
          {data.letters.map((email) => (
            <EmailCard key={email.id} email={email} />
          ))}
        </>
      )}
    </PageLayout>
  );
}
