import { Link, useNavigate } from '@tanstack/react-router';
import { Trans, useTranslation } from 'react-i18next';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useLeaveWhenSignedIn } from '../../features/access/arrive.ts';
import { DemoSignIns } from '../../features/access/demo-sign-ins.tsx';
import { useStartSignUp } from '../../features/access/use-start-sign-up.ts';
import { useEmailCheck } from '../../features/access/email-check.ts';
import { EmailForm } from '../../features/access/email-form.tsx';
import { StepHeading } from '../../features/access/heading.tsx';
import { inlineLink, textLink } from '../../features/access/links.ts';
import { OauthSignIns } from '../../features/access/oauth-sign-ins.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';

/** Where a guest gets an account: the e-mail decides whether signing in or signing up comes next. */
export function Page() {
  const { t } = useTranslation(['access', 'common']);
  const title = usePageTitle();
  const { returnTo } = usePageSearch('/pages/auth/auth');
  const navigate = useNavigate();
  const toSignIn = () => void navigate({ to: '/pages/auth/signin', search: { returnTo } });
  const signUp = useStartSignUp({
    onSent: () => void navigate({ to: '/pages/auth/signup', search: { returnTo, step: 'code' } }),
    onTaken: toSignIn,
  });
  const { hint, busy, check } = useEmailCheck({
    onKnown: toSignIn,
    onNew: signUp.start,
  });
  useLeaveWhenSignedIn();

  return (
    <PageLayout title={title} back>
      <div className="flex flex-col gap-4">
        <img src="/icon.svg" alt="" className="size-14" />
        <StepHeading title={t('access:auth.heading')}>
          {t(returnTo === undefined ? 'access:auth.text' : 'access:auth.textReturn')}
        </StepHeading>
      </div>
      <OauthSignIns />
      <EmailForm hint={hint} submitLabel={t('common:continue')} busy={busy || signUp.busy} onEmail={check} />
      <div className="flex flex-wrap justify-between gap-x-4">
        <Link to="/pages/auth/signin" search={{ returnTo }} className={textLink}>
          {t('access:auth.havePassword')}
        </Link>
        <Link to="/pages/auth/signup" search={{ returnTo }} className={textLink}>
          {t('access:auth.newHere')}
        </Link>
        <Link to="/pages/login/login" search={{ returnTo }} className={textLink}>
          {t('access:auth.classic')}
        </Link>
      </div>
      <DemoSignIns />
      <div className="mt-auto flex flex-col gap-2">
        <Link to="/" className={textLink}>
          {t('access:auth.guest')}
        </Link>
        <p className="text-small text-ink-3">
          <Trans
            t={t}
            i18nKey="access:auth.terms"
            components={{
              terms: <Link to="/pages/legal/teams" className={inlineLink} />,
              privacy: <Link to="/pages/legal/privacy" className={inlineLink} />,
            }}
          />
        </p>
      </div>
    </PageLayout>
  );
}
