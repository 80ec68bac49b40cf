import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readSecondFactor } from '#contract/access/second-factor.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { AuthenticatorApp } from '../../features/access/authenticator-app.tsx';
import { PasskeyList } from '../../features/access/passkey-list.tsx';
import { FreshCodes, RecoveryCodes } from '../../features/access/recovery-codes.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Banner } from '../../ui/surfaces.tsx';

/** The second step of signing in: passkeys, an authenticator app, recovery codes. */
export function Page() {
  const { t } = useTranslation('security');
  const [fresh, setFresh] = useState<readonly string[]>([]);
  const read = useCall(readSecondFactor, {}, { quiet: true });
  return (
    <PageLayout title={usePageTitle()} back>
      <QueryView query={read} failed={t('failed')} skeleton={{ rows: 4 }}>
        {({ totpSince, passkeys, recoveryCodesLeft, isRequired, passkeysFor }) => {
          const hasFactor = totpSince !== null || passkeys.length > 0;
          return (
            <>
              {isRequired && !hasFactor && <Banner kind="warn">{t('required')}</Banner>}
              <p className="text-body text-ink-2">{t('intro')}</p>
              <PasskeyList passkeys={passkeys} worksAt={passkeysFor} onFresh={setFresh} />
              <AuthenticatorApp since={totpSince} onFresh={setFresh} />
              {hasFactor && <RecoveryCodes left={recoveryCodesLeft} onFresh={setFresh} />}
            </>
          );
        }}
      </QueryView>
      <FreshCodes codes={fresh} onSaved={() => setFresh([])} />
    </PageLayout>
  );
}
