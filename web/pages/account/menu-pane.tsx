import { useTranslation } from 'react-i18next';
import { useSession } from '../../core/use-session.ts';
import { AccountMenu } from '../../features/people/menu.tsx';
import { WithProfile } from '../../features/people/profile-query.tsx';

/** The account's menu next to its pages on a desktop. A guest's has what a guest may open. */
export function MenuPane() {
  const { t } = useTranslation();
  const { signedIn } = useSession();
  return (
    <div className="px-4 py-3">
      <p className="mb-3 px-2 text-heading font-semibold">{t('tabs.account')}</p>
      {signedIn ? (
        <WithProfile rows={8}>{(profile) => <AccountMenu profile={profile} />}</WithProfile>
      ) : (
        <AccountMenu profile={null} />
      )}
    </div>
  );
}
