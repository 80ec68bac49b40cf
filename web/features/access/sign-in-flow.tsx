import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../core/lazy-part.ts';
import { usePageSearch } from '../../core/navigation.ts';
import { useLeaveWhenSignedIn } from './arrive.ts';
import { readDraft } from './draft.ts';
import { ForgotForm } from './forgot-form.tsx';
import { StepHeading } from './heading.tsx';
import { textLink } from './links.ts';
import { OauthSignIns } from './oauth-sign-ins.tsx';
import { ResetForm } from './reset-form.tsx';
import { waitingSignIn } from './second-step-ticket.ts';
import { SignInForm } from './sign-in-form.tsx';
import { useStep } from './steps.ts';

const SecondStep = lazyPart(async () => (await import('./second-step.tsx')).SecondStep, ['security']);
const PasskeySignIn = lazyPart(async () => (await import('./second-step.tsx')).PasskeySignIn, ['security']);

type SignUpPage = '/pages/auth/signup' | '/pages/login/signup';

/**
 * Signing in with a password, and setting a new one where it is forgotten. `children` are below the first
 * step.
 */
export function SignInFlow({ signUpAt, children }: { signUpAt: SignUpPage; children?: ReactNode }) {
  const { t } = useTranslation('access');
  const { returnTo } = usePageSearch('/pages/auth/signin');
  const navigate = useNavigate();
  const [step, go] = useStep(['forgot', 'reset', 'second']);
  useLeaveWhenSignedIn();

  if (step === 'forgot') return <ForgotForm onSent={() => go('reset')} onBack={() => go(null)} />;
  if (step === 'reset' && readDraft().resetTo !== '')
    return <ResetForm onSignIn={() => go(null)} onSecondStep={() => go('second')} />;
  if (step === 'second' && waitingSignIn() !== null)
    return (
      <Suspense>
        <SecondStep onOver={() => go(null)} />
      </Suspense>
    );
  return (
    <>
      <StepHeading title={t('signIn.heading')} />
      <OauthSignIns />
      <SignInForm
        onForgot={() => go('forgot')}
        onSecondStep={() => go('second')}
        onNotVerified={() => void navigate({ to: signUpAt, search: { returnTo, step: 'code' } })}
      />
      <Suspense>
        <PasskeySignIn />
      </Suspense>
      <Link to={signUpAt} search={{ returnTo }} className={textLink}>
        {t('signIn.noAccount')}
      </Link>
      {children}
    </>
  );
}
