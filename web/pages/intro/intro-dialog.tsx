import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { endGreeting } from '../../core/greeting.ts';
import { rememberIntro } from '../../core/launch.ts';
import { homeOf, chooseStartSide } from '../../core/side.ts';
import { Introduction } from '../../features/access/introduction.tsx';
import { FullDialog } from '../../ui/dialog-box.tsx';

/** By then the dialog has faded in over the same words in the page's HTML. */
const shownMs = 300;

/** The introduction over the page that a first visit came to. */
export function IntroDialog() {
  const { t } = useTranslation('access');
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(endGreeting, shownMs);
    return () => {
      clearTimeout(timer);
      endGreeting();
    };
  }, []);
  return (
    <FullDialog open onOpenChange={(open) => !open && rememberIntro()} title={t('intro.label')}>
      <Introduction
        onLeave={(side) => {
          if (side !== null) chooseStartSide(side);
          // It stays until the other home is there: what lies under it is not the page that was chosen.
          if (side === 'passenger')
            void navigate({ to: homeOf.passenger, replace: true }).then(rememberIntro);
          else rememberIntro();
        }}
      />
    </FullDialog>
  );
}
