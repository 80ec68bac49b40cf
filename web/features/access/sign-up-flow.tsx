import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { usePageQuery } from '../../core/navigation.ts';
import { TextButton } from '../../ui/button.tsx';
import { useLeaveWhenSignedIn } from './arrive.ts';
import { readDraft } from './draft.ts';
import { useEmailCheck } from './email-check.ts';
import { EmailForm } from './email-form.tsx';
import { StepHeading } from './heading.tsx';
import { textLink } from './links.ts';
import { NewPasswordForm } from './new-password-form.tsx';
import { SignUpCode } from './sign-up-code.tsx';
import { useStep } from './steps.ts';

/** Signing up step by step: e-mail, password, code. */
export function SignUpFlow() {
  const { t } = useTranslation(['access', 'common']);
  const { returnTo } = usePageQuery();
  const navigate = useNavigate();
  const [step, go] = useStep(['password', 'code']);
  const toSignIn = () => void navigate({ to: '/pages/auth/signin', search: { returnTo } });
  const { hint, busy, check } = useEmailCheck({ onKnown: toSignIn, onNew: () => go('password') });
  useLeaveWhenSignedIn();

  const { email } = readDraft();
  if (step === 'code' && email !== '') return <SignUpCode onChangeEmail={() => go(null)} />;
  if (step === 'password' && email !== '') {
    return (
      <>
        <StepHeading title={t('access:signUp.passwordHeading')}>
          {t('access:signUp.passwordText', { email })}
        </StepHeading>
        <NewPasswordForm
          email={email}
          onSent={() => go('code')}
          onEmailRefused={(reason) => (reason === 'access.emailTaken' ? toSignIn() : go(null))}
        />
        <TextButton className="-ml-1 self-start" onClick={() => go(null)}>
          {t('access:signUp.changeEmail')}
        </TextButton>
      </>
    );
  }
  return (
    <>
      <StepHeading title={t('access:signUp.emailHeading')}>{t('access:signUp.emailText')}</StepHeading>
      <EmailForm hint={hint} submitLabel={t('common:continue')} busy={busy} onEmail={check} />
      <Link to="/pages/auth/signin" search={{ returnTo }} className={textLink}>
        {t('access:signUp.haveAccount')}
      </Link>
    </>
  );
}
