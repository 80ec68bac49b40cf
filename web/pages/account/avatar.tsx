import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../core/navigation.ts';
import { WithProfile } from '../../features/people/profile-query.tsx';
import { cacheProfile } from '../../features/people/profile-cache.ts';
import { AvatarEditor } from '../../features/pictures/avatar-editor.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { toast } from '../../ui/toasts.tsx';

/** My picture as others see it, and how to change it. */
export function Page() {
  const { t } = useTranslation('people');
  return (
    <PageLayout title={usePageTitle()} back>
      <WithProfile rows={1}>
        {(profile) => (
          <AvatarEditor
            profile={profile}
            onSaved={(saved) => {
              cacheProfile(saved);
              toast.done(t(saved.avatar === '' ? 'avatar.removed' : 'avatar.saved'));
            }}
          />
        )}
      </WithProfile>
    </PageLayout>
  );
}
