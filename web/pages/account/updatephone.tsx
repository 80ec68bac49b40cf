import { BadgeCheck, CircleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Profile } from '#contract/user/endpoints.ts';
import { phoneText } from '../../domain/person/phone-text.ts';
import { renewSession } from '../../core/api.ts';
import { useGoBack, usePageTitle } from '../../core/navigation.ts';
import { invalidate } from '../../core/query-client.ts';
import { updateSession } from '../../core/session.ts';
import { VerifyPhone } from '../../features/access/verify-phone.tsx';
import { WithProfile } from '../../features/people/profile-query.tsx';
import { RemovePhone } from '../../features/people/remove-phone.tsx';
import { StateChip } from '../../ui/chips.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { List, ListRow } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Changes my phone number: it counts once the code from an SMS is back. */
export function Page() {
  const { t } = useTranslation('people');
  return (
    <PageLayout title={usePageTitle()} back>
      <div className="flex flex-col gap-2 pt-2">
        <h2 className="text-heading">{t('phone.heading')}</h2>
        <p className="text-body text-ink-2">{t('phone.text')}</p>
      </div>
      <WithProfile rows={1}>{(profile) => <Phone profile={profile} />}</WithProfile>
    </PageLayout>
  );
}

function Phone({ profile }: { profile: Profile }) {
  const { t } = useTranslation('people');
  const goBack = useGoBack();
  const { phone, phoneVerified } = profile;
  const verified = (number: string) => {
    updateSession({ phone: number });
    void renewSession();
    void invalidate('/user/', '/notification/');
    toast.done(t('phone.saved'));
    goBack();
  };
  return (
    <>
      {phone !== '' && (
        <List>
          <ListRow
            title={<span className="figures">{phoneText(phone)}</span>}
            trailing={
              phoneVerified ? (
                <StateChip tone="brand" icon={<BadgeCheck aria-hidden />}>
                  {t('phone.verified')}
                </StateChip>
              ) : (
                <StateChip tone="warn" icon={<CircleAlert aria-hidden />}>
                  {t('phone.unverified')}
                </StateChip>
              )
            }
          />
        </List>
      )}
      <VerifyPhone known={phoneVerified ? '' : phone} onVerified={verified} />
      {phone !== '' && <RemovePhone profile={profile} onRemoved={goBack} />}
    </>
  );
}
