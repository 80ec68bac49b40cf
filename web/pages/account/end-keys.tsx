import { Link } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endKeys } from '#contract/connect/keys.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useAction } from '../../core/queries.ts';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

/**
 * Where the email about a new password leads: ends the person's API keys, without signing in. Opening the
 * page ends nothing.
 */
export function Page() {
  const { t } = useTranslation('security');
  const { code = '' } = usePageSearch('/pages/account/endkeys');
  const [ended, setEnded] = useState<number | null>(null);
  const end = useAction(endKeys, { onDone: (answer) => setEnded(answer.ended) });
  return (
    <PageLayout title={usePageTitle()} back>
      <EmptyState
        icon={<KeyRound />}
        title={t(ended === null ? 'endKeys.title' : 'endKeys.done')}
        text={ended === null ? t('endKeys.text') : t('endKeys.ended', { count: ended })}
        action={
          ended === null ? (
            <Button tone="danger" busy={end.busy} onClick={() => end.run({ code })}>
              {t('endKeys.end')}
            </Button>
          ) : (
            <Link to="/" className={buttonVariants({ small: true })}>
              {t('endKeys.app')}
            </Link>
          )
        }
      />
    </PageLayout>
  );
}
