import { useRouter } from '@tanstack/react-router';
import { CircleCheck, Sparkles } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { appBuild, appVersion } from '#contract/app/endpoints.ts';
import { useNewerVersion } from '../../base/config.ts';
import { loadNewer } from '../../base/installed-app.ts';
import { ignoreUpgrade } from '../../base/launch.ts';
import { useGoBack } from '../../base/navigation.ts';
import { Button } from '../../ui/button.tsx';
import { useTitleFocus } from '../../ui/page.tsx';

/** Asks whether to load the newer version now; a panel over the dimmed app. */
export function Page() {
  const { t } = useTranslation(['about', 'common']);
  const newer = useNewerVersion();
  const router = useRouter();
  const goBack = useGoBack();
  const heading = useTitleFocus();
  const Icon = newer ? Sparkles : CircleCheck;

  const later = () => {
    ignoreUpgrade();
    goBack();
  };
  const update = () => {
    // Where the person was is loaded again in the newer version; this page itself is not worth coming back to.
    const stop = router.subscribe('onResolved', () => {
      stop();
      void loadNewer();
    });
    goBack();
  };

  return (
    <main className="absolute inset-0 grid animate-fade place-items-end bg-ink/60 lg:place-items-center">
      <section
        aria-labelledby="update-title"
        className="flex w-full animate-rise flex-col gap-4 rounded-t-sheet bg-surface p-6 pb-[calc(env(safe-area-inset-bottom)+24px)] shadow-sheet lg:w-[440px] lg:rounded-sheet"
      >
        <span
          aria-hidden
          className="grid size-14 place-items-center rounded-full bg-brand-soft text-brand-ink [&>svg]:size-7"
        >
          <Icon />
        </span>
        <div className="flex flex-col gap-2">
          <h1 id="update-title" ref={heading} tabIndex={-1} className="text-heading outline-none">
            {t(newer ? 'about:update.title' : 'about:update.currentTitle')}
          </h1>
          <p className="text-body text-ink-2">
            {newer
              ? t('about:update.text')
              : t('about:update.currentText', { version: appVersion, build: appBuild })}
          </p>
        </div>
        <div className="flex flex-col gap-2">
          {newer && (
            <Button full onClick={update}>
              {t('about:update.now')}
            </Button>
          )}
          <Button tone="quiet" full onClick={later}>
            {t(newer ? 'about:update.later' : 'common:close')}
          </Button>
        </div>
      </section>
    </main>
  );
}
