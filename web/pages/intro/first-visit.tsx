import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { rememberIntro, useIntroSeen } from '../../core/launch.ts';
import { homeOf, rememberSide } from '../../core/side.ts';
import { useSession } from '../../core/session.ts';
import { Introduction } from '../../features/access/introduction.tsx';
import { FullDialog } from '../../ui/dialog.tsx';

/** Greets a guest who opens the app for the first time, over the page that they came to. */
export function FirstVisit() {
  const { t } = useTranslation('access');
  const navigate = useNavigate();
  const { signedIn } = useSession();
  const seen = useIntroSeen();
  return (
    <FullDialog
      open={!seen && !signedIn}
      onOpenChange={(open) => !open && rememberIntro()}
      title={t('intro.label')}
    >
      <Introduction
        onLeave={(side) => {
          if (side !== null) rememberSide(side);
          // It stays until the other home is there: what lies under it is not the page that was chosen.
          if (side === 'passenger')
            void navigate({ to: homeOf.passenger, replace: true }).then(rememberIntro);
          else rememberIntro();
        }}
      />
    </FullDialog>
  );
}
