import { useTranslation } from 'react-i18next';
import { readProfile } from '#contract/user/endpoints.ts';
import { useCall } from '../../core/queries.ts';
import { useSession } from '../../core/session.ts';
import { AccountMenu } from '../../features/people/menu.tsx';

/** The account's menu beside its pages on a desktop. A guest's has what a guest may open. */
export default function MenuPane() {
  const { t } = useTranslation();
  const { signedIn } = useSession();
  const { data } = useCall(readProfile, {}, { enabled: signedIn, quiet: true });
  if (signedIn && data === undefined) return null;
  return (
    <div className="px-4 py-3">
      <p className="mb-3 px-2 text-heading font-semibold">{t('tabs.account')}</p>
      <AccountMenu profile={data ?? null} />
    </div>
  );
}
