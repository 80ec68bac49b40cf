import { Link, useNavigate } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { oauthLogin } from '#contract/access/endpoints.ts';
import { errorWords, Refused } from '../../core/errors.ts';
import { useAfterSignIn, usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useAction } from '../../core/queries.ts';
import { arrive } from '../../features/access/arrive.ts';
import { forgetAttempt, landingAddress, readAttempt } from '../../features/access/oauth-attempt.ts';
import { keepWaitingSignIn } from '../../features/access/second-step-ticket.ts';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

/** Where an outside provider sends people back to: signs them in with what it says and leads them on. */
export function Page() {
  const { t } = useTranslation(['access', 'common']);
  const { code = '', state = '', iss = '', error } = usePageSearch('/pages/auth/oauth');
  const [attempt] = useState(readAttempt);
  const goOn = useAfterSignIn(attempt?.returnTo);
  const navigate = useNavigate();
  const enter = useAction(oauthLogin, {
    onDone: (user) => {
      forgetAttempt();
      arrive(user);
      goOn();
    },
    // The page itself says it, and how to go on.
    onRefused: (refused) => {
      if (keepWaitingSignIn(refused)) {
        const returnTo = attempt?.returnTo;
        forgetAttempt();
        void navigate({ to: '/pages/auth/signin', search: { returnTo, step: 'second' }, replace: true });
      }
      return true;
    },
  });
  const waits = enter.error instanceof Refused && enter.error.reason === 'access.secondStep';
  const isOurs = attempt !== null && code !== '' && state === attempt.state;
  const begun = useRef(false);
  const begin = useEffectEvent(() => {
    if (!isOurs || begun.current) return;
    begun.current = true;
    enter.run({ code, state, iss, redirect_uri: landingAddress() });
  });
  useEffect(() => begin(), []);

  const title = usePageTitle();
  if (isOurs && (enter.error === null || waits))
    return (
      <PageLayout title={title}>
        <p className="pt-2 text-body text-ink-2">
          {t('access:oauth.arriving', { provider: attempt.providerName })}
        </p>
        <Skeleton label={t('common:loading')} rows={2} />
      </PageLayout>
    );
  const provider = attempt?.providerName ?? '';
  const words =
    enter.error !== null
      ? errorWords(enter.error)
      : error !== undefined && provider !== ''
        ? t('access:oauth.declined', { provider })
        : t('access:oauth.stray');
  return (
    <PageLayout title={title} back>
      <EmptyState
        icon={<KeyRound />}
        title={t('access:oauth.title')}
        text={words}
        action={
          <Link
            to="/pages/auth/auth"
            search={{ returnTo: attempt?.returnTo }}
            replace
            className={buttonVariants({ small: true })}
          >
            {t('access:oauth.action')}
          </Link>
        }
      />
    </PageLayout>
  );
}
