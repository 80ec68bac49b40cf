import { useTranslation } from 'react-i18next';
import { changeContactType, contactTypes, type Profile } from '#contract/user/endpoints.ts';
import { phoneText } from '../../domain/person/phone-text.ts';
import { useAction } from '../../core/queries.ts';
import { RadioList } from '../../ui/choices.tsx';
import { Card, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { cacheProfile } from './profile-cache.ts';

/** How people who ride with me should reach me; saved at once, and put back where the server refuses. */
export function ContactPreference({ profile }: { profile: Profile }) {
  const { t } = useTranslation('people');
  const change = useAction(changeContactType, {
    onDone: ({ prefer }) => {
      cacheProfile({ ...profile, preferContactWith: prefer });
      toast.done(t('settings.contactSaved'));
    },
  });
  const hasPhone = profile.phone !== '';
  return (
    <Section title={t('settings.contact')}>
      <p className="text-body text-ink-2">{t('settings.contactText')}</p>
      <Card className="py-1">
        <RadioList
          label={t('settings.contact')}
          options={contactTypes.map((value) => ({
            value,
            label: t(`settings.contacts.${value}`),
            ...(value === 'phone' && {
              detail: hasPhone ? phoneText(profile.phone) : t('settings.phoneMissing'),
            }),
            ...(value === 'email' && { detail: <span className="break-all">{profile.email}</span> }),
          }))}
          value={profile.preferContactWith}
          onChange={(prefer) => change.run({ prefer })}
        />
      </Card>
    </Section>
  );
}
