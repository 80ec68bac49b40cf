import { useTranslation } from 'react-i18next';
import { useGoBack, usePageTitle } from '../../base/navigation.ts';
import { PhoneForm } from '../../rooms/people/phone-form.tsx';
import { WithProfile } from '../../rooms/people/profile-query.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Banner } from '../../ui/surfaces.tsx';

/** Changes my phone number. */
export function Page() {
  const { t } = useTranslation('people');
  const goBack = useGoBack();
  return (
    <Frame title={usePageTitle()} back>
      <div className="flex flex-col gap-2 pt-2">
        <h2 className="text-heading">{t('phone.heading')}</h2>
        <p className="text-body text-ink-2">{t('phone.text')}</p>
      </div>
      <WithProfile rows={1}>{(profile) => <PhoneForm profile={profile} onSaved={goBack} />}</WithProfile>
      <Banner kind="info">{t('phone.noSms')}</Banner>
    </Frame>
  );
}
