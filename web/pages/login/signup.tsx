import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useLeaveWhenSignedIn } from '../../features/access/arrive.ts';
import { ClassicSignUp } from '../../features/access/classic-sign-up.tsx';
import { readDraft } from '../../features/access/draft.ts';
import { StepHeading } from '../../features/access/heading.tsx';
import { textLink } from '../../features/access/links.ts';
import { SignUpCode } from '../../features/access/sign-up-code.tsx';
import { useStep } from '../../features/access/steps.ts';
import { PageLayout } from '../../ui/page-layout.tsx';

/** The classic sign-up: everything on one form, then the code. */
export function Page() {
  const { t } = useTranslation('access');
  const { returnTo } = usePageSearch('/pages/login/signup');
  const [step, go] = useStep(['code']);
  useLeaveWhenSignedIn();
  return (
    <PageLayout title={usePageTitle()} back>
      {step === 'code' && readDraft().email !== '' ? (
        <SignUpCode onChangeEmail={() => go(null)} />
      ) : (
        <>
          <StepHeading title={t('signUp.classicHeading')}>{t('signUp.classicText')}</StepHeading>
          <ClassicSignUp onSent={() => go('code')} />
          <Link to="/pages/login/login" search={{ returnTo }} className={textLink}>
            {t('signUp.haveAccount')}
          </Link>
        </>
      )}
    </PageLayout>
  );
}
