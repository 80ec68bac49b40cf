import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { saveProfile, type Profile } from '#contract/user/endpoints.ts';
import { phoneText } from '../../domain/person/phone-text.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { ChangePassword } from '../../features/access/change-password.tsx';
import { SessionList } from '../../features/access/session-list.tsx';
import { Agreements } from '../../features/people/agreements.tsx';
import { ContactPreference } from '../../features/people/contact-preference.tsx';
import { DataExport } from '../../features/people/data-export.tsx';
import { DeleteAccount, DeletionBanner } from '../../features/people/delete-account.tsx';
import { LanguageControl } from '../../features/people/language-control.tsx';
import { PrivacyChoices } from '../../features/people/privacy-choices.tsx';
import { WithPrivacy } from '../../features/people/privacy-query.tsx';
import { ProfileForm } from '../../features/people/profile-form.tsx';
import { WithProfile } from '../../features/people/profile-query.tsx';
import { StartSide } from '../../features/people/start-side.tsx';
import { SignOut } from '../../features/people/sign-out.tsx';
import { useSaveLanguage } from '../../features/people/save-language.ts';
import { TrustedContactSection } from '../../features/safety/trusted-contact.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { List, RowContent, rowVariants, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Settings: language, contact, profile, privacy, where I am signed in, my data, deletion, signing out. */
export function Page() {
  return (
    <PageLayout title={usePageTitle()} back>
      <WithProfile rows={6}>{(profile) => <Settings profile={profile} />}</WithProfile>
    </PageLayout>
  );
}

function Settings({ profile }: { profile: Profile }) {
  const { t } = useTranslation('people');
  const saveLanguage = useSaveLanguage(profile);
  return (
    <>
      {profile.deletionDueAt !== null && <DeletionBanner dueAt={profile.deletionDueAt} />}
      <Section title={t('settings.language')}>
        <LanguageControl onChosen={saveLanguage} />
      </Section>
      <StartSide />
      <ContactPreference profile={profile} />
      <Section title={t('settings.profile')}>
        <List>
          <li>
            <Link to="/pages/account/avatar" className={rowVariants}>
              <RowContent title={t('settings.photo')} chevron />
            </Link>
          </li>
          <li>
            <Link to="/pages/account/updatephone" className={rowVariants}>
              <RowContent
                title={t('settings.phone')}
                detail={profile.phone !== '' && !profile.phoneVerified && t('phone.unverified')}
                trailing={<span className="figures">{phoneText(profile.phone) || t('settings.none')}</span>}
                chevron
              />
            </Link>
          </li>
        </List>
        <div className="pt-3">
          <ProfileForm
            key={profile.phone}
            profile={profile}
            endpoint={saveProfile}
            submitLabel={t('profile.save')}
            onSaved={() => toast.done(t('profile.saved'))}
          />
        </div>
      </Section>
      <TrustedContactSection />
      <WithPrivacy>
        {(privacy) => (
          <>
            <PrivacyChoices privacy={privacy} />
            <ChangePassword email={profile.email} hasPassword={privacy.hasPassword} />
            <SessionList />
            <DataExport />
            <Agreements consents={privacy.consents} />
            <DeleteAccount privacy={privacy} />
          </>
        )}
      </WithPrivacy>
      <SignOut email={profile.email} />
    </>
  );
}
