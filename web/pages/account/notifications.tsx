import { Link } from '@tanstack/react-router';
import { Settings } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { NewsLine } from '#contract/notifications/endpoints.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { NewsList } from '../../features/notifications/news-list.tsx';
import { NewsAnswer } from '../../features/rides/booking/news-answer.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';

const answerOf = (line: NewsLine) => <NewsAnswer line={line} />;

/** Notifications: what has happened, and the way to its settings. */
export function Page() {
  const { t } = useTranslation('notifications');
  return (
    <PageLayout
      title={usePageTitle()}
      back
      tools={
        <Link
          to="/pages/account/settings/notificationSettings"
          aria-label={t('settings')}
          className="grid size-11 place-items-center rounded-full text-ink"
        >
          <Settings aria-hidden className="size-6" />
        </Link>
      }
    >
      <NewsList answer={answerOf} />
    </PageLayout>
  );
}
