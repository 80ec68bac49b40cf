import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { usePageSearch } from '../../core/navigation.ts';
import { useLeaveWhenSignedIn } from './arrive.ts';
import { readDraft } from './draft.ts';
import { useEmailCheck } from './email-check.ts';
import { EmailForm } from './email-form.tsx';
import { StepHeading } from './heading.tsx';
import { textLink } from './links.ts';
import { SignUpCode } from './sign-up-code.tsx';
import { useStep } from './steps.ts';
import { useStartSignUp } from './use-start-sign-up.ts';

/** Signing up step by step: email, then its code. */
export function SignUpFlow() {
  const { t } = useTranslation(['access', 'common']);
  const { returnTo } = usePageSearch('/pages/auth/signup');
  const navigate = useNavigate();
  const [step, go] = useStep(['code']);
  const toSignIn = () => void navigate({ to: '/pages/auth/signin', search: { returnTo } });
  const signUp = useStartSignUp({ onSent: () => go('code'), onTaken: toSignIn });
  const { hint, busy, check } = useEmailCheck({ onKnown: toSignIn, onNew: signUp.start });
  useLeaveWhenSignedIn();

  if (step === 'code' && readDraft().email !== '') return <SignUpCode onChangeEmail={() => go(null)} />;
  return (
    <>
      <StepHeading title={t('access:signUp.emailHeading')}>{t('access:signUp.emailText')}</StepHeading>
      <EmailForm hint={hint} submitLabel={t('common:continue')} busy={busy || signUp.busy} onEmail={check} />
      <Link to="/pages/auth/signin" search={{ returnTo }} className={textLink}>
        {t('access:signUp.haveAccount')}
      </Link>
    </>
  );
}
