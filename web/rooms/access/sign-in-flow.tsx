import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { retrievePassword } from '#contract/access/endpoints.ts';
import { now } from '../../base/clock.ts';
import { usePageQuery } from '../../base/navigation.ts';
import { useAction } from '../../base/queries.ts';
import { TextButton } from '../../ui/button.tsx';
import { useLeaveWhenSignedIn } from './arrive.ts';
import { keepDraft, readDraft } from './draft.ts';
import { EmailForm } from './email-form.tsx';
import { StepHeading } from './heading.tsx';
import { textLink } from './links.ts';
import { ResetForm } from './reset-form.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useStep } from './steps.ts';

type SignUpPage = '/pages/auth/signup' | '/pages/login/signup';

/** Signing in with a password, and setting a new one where it is forgotten. What is inside stands below the first step. */
export function SignInFlow({ signUpAt, children }: { signUpAt: SignUpPage; children?: ReactNode }) {
  const { t } = useTranslation('access');
  const { returnTo } = usePageQuery();
  const navigate = useNavigate();
  const [step, go] = useStep(['forgot', 'reset']);
  useLeaveWhenSignedIn();

  if (step === 'forgot') return <Forgot onSent={() => go('reset')} onBack={() => go(null)} />;
  if (step === 'reset' && readDraft().email !== '') return <ResetForm onSignIn={() => go(null)} />;
  return (
    <>
      <StepHeading title={t('signIn.heading')} />
      <SignInForm
        onForgot={() => go('forgot')}
        onNotVerified={() => void navigate({ to: signUpAt, search: { returnTo, step: 'code' } })}
      />
      <Link to={signUpAt} search={{ returnTo }} className={textLink}>
        {t('signIn.noAccount')}
      </Link>
      {children}
    </>
  );
}

function Forgot({ onSent, onBack }: { onSent: () => void; onBack: () => void }) {
  const { t } = useTranslation('access');
  const sent = (resendAfterSeconds: number) => {
    keepDraft({ resendAt: now() + resendAfterSeconds * 1000 });
    onSent();
  };
  const send = useAction(retrievePassword, {
    onDone: ({ resendAfterSeconds }) => sent(resendAfterSeconds),
    onRefused: ({ code, data }) => {
      const { retryAfterSeconds } = data;
      // Asked for less than a minute ago: the code of that letter still works.
      if (code !== 429 || typeof retryAfterSeconds !== 'number' || retryAfterSeconds > 60) return false;
      sent(retryAfterSeconds);
      return true;
    },
  });
  return (
    <>
      <StepHeading title={t('reset.heading')}>{t('reset.text')}</StepHeading>
      <EmailForm
        submitLabel={t('signUp.sendCode')}
        busy={send.busy}
        onEmail={async (email) => {
          keepDraft({ email });
          await send.ask({ email });
          return null;
        }}
      />
      <TextButton className="-ml-1 self-start" onClick={onBack}>
        {t('reset.back')}
      </TextButton>
    </>
  );
}
