import { Link } from '@tanstack/react-router';
import { MailOpen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { readOutbox } from '#contract/demo/endpoints.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { EmailCard } from '../../features/demo/email.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

const refreshMs = 3000;

/** The emails that a mail server would have sent. */
export function Page() {
  const { t } = useTranslation('demo');
  const outbox = useCall(readOutbox, {}, { quiet: true, refetchInterval: refreshMs });
  return (
    <PageLayout title={usePageTitle()} back>
      <QueryView
        query={outbox}
        failed={t('outbox.failed')}
        isEmpty={({ letters }) => letters.length === 0}
        empty={<NoEmails />}
      >
        {({ letters }) => (
          <>
            <p className="text-body text-ink-2">{t('outbox.intro')}</p>
            {letters.map((email) => (
              <EmailCard key={email.id} email={email} />
            ))}
          </>
        )}
      </QueryView>
    </PageLayout>
  );
}

function NoEmails() {
  const { t } = useTranslation('demo');
  return (
    <EmptyState
      icon={<MailOpen />}
      title={t('outbox.emptyTitle')}
      text={t('outbox.emptyText')}
      action={
        <Link to="/pages/auth/signup" className={buttonVariants({ tone: 'quiet', small: true })}>
          {t('outbox.emptyAction')}
        </Link>
      }
    />
  );
}
