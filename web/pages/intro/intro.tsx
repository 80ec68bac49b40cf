import { Navigate, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { invitation } from '../../core/invitation.ts';
import { rememberIntro } from '../../core/launch.ts';
import { homeOf, chooseStartSide } from '../../core/side.ts';
import { useSession } from '../../core/use-session.ts';
import { Introduction } from '../../features/access/introduction.tsx';

/**
 * The introduction by its own address, where invitations lead; a first visit finds it over the Carpool page.
 */
export function Page() {
  const { t } = useTranslation('access');
  const navigate = useNavigate();
  const { signedIn, user } = useSession();
  const code = invitation();
  // A person who is here already needs no introduction to accept an invitation.
  if (signedIn && !user.profileMissing && code !== '')
    return <Navigate to="/pages/contact/add" search={{ code }} replace />;
  return (
    <main className="h-full" aria-label={t('intro.label')}>
      <Introduction
        onLeave={(side) => {
          rememberIntro();
          if (side !== null) chooseStartSide(side);
          void navigate({ to: homeOf[side ?? 'driver'], replace: true });
        }}
      />
    </main>
  );
}
