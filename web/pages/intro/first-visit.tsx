import { Suspense } from 'react';
import { laterPart } from '../../core/lazy-part.ts';
import { useIntroSeen } from '../../core/launch.ts';
import { useSession } from '../../core/use-session.ts';

const IntroDialog = laterPart(async () => (await import('./intro-dialog.tsx')).IntroDialog, ['access']);

/** Greets a guest who opens the app for the first time, over the page that they came to. */
export function FirstVisit() {
  const { signedIn } = useSession();
  const seen = useIntroSeen();
  if (seen || signedIn) return null;
  return (
    <Suspense>
      <IntroDialog />
    </Suspense>
  );
}
