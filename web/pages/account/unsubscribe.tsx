import { Link } from '@tanstack/react-router';
import { MailX } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notificationKinds, unsubscribe } from '#contract/notifications/endpoints.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useAction } from '../../core/queries.ts';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

/**
 * Where the link in an email leads: ends emails of its kind, without signing in. Opening the page ends
 * nothing.
 */
export function Page() {
  const { t } = useTranslation(['notifications', 'settings']);
  const { kind: asked, code = '' } = usePageSearch('/pages/account/unsubscribe');
  const kind = notificationKinds.find((each) => each === asked) ?? 'ask';
  const [done, setDone] = useState<'done' | 'allDone' | null>(null);
  const stop = useAction(unsubscribe, {
    onDone: (_, { all }) => setDone(all === true ? 'allDone' : 'done'),
  });
  return (
    <PageLayout title={usePageTitle()} back>
      <EmptyState
        icon={<MailX />}
        title={t(done === null ? 'notifications:unsubscribe.title' : `notifications:unsubscribe.${done}`)}
        text={
          done === null
            ? t('notifications:unsubscribe.text', { kind: t(`settings:notifications.kind.${kind}`) })
            : t('notifications:unsubscribe.doneText')
        }
        action={
          done === null ? (
            <span className="flex flex-col gap-3">
              <Button busy={stop.busy} onClick={() => stop.run({ kind, code })}>
                {t('notifications:unsubscribe.stop')}
              </Button>
              <Button tone="quiet" busy={stop.busy} onClick={() => stop.run({ kind, code, all: true })}>
                {t('notifications:unsubscribe.all')}
              </Button>
            </span>
          ) : (
            <Link to="/" className={buttonVariants({ small: true })}>
              {t('notifications:unsubscribe.app')}
            </Link>
          )
        }
      />
    </PageLayout>
  );
}
