import { useLocation, useRouter } from '@tanstack/react-router';
import { CircleCheck, Sparkles } from 'lucide-react';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { appBuild, appVersion } from '#contract/app/endpoints.ts';
import { useNewerVersion } from '../core/config.ts';
import { loadNewer } from '../core/installed-app.ts';
import { ignoreUpgrade } from '../core/launch.ts';
import { useGoBack } from '../core/navigation.ts';
import { Button } from '../ui/button.tsx';

/** Whether the address is that of the update panel; the page that was open stays open under it. */
export function useUpdateShown(): boolean {
  return useLocation({ select: ({ state }) => state.showsUpdate === true });
}

/**
 * Asks whether to load the newer version now; a panel over the dimmed page, which keeps all that was typed in
 * it.
 */
export function UpdateOverlay() {
  const { t } = useTranslation(['about', 'common']);
  const newer = useNewerVersion();
  const router = useRouter();
  const goBack = useGoBack();
  const heading = useRef<HTMLHeadingElement>(null);
  const Icon = newer ? Sparkles : CircleCheck;

  useLayoutEffect(() => {
    const before = document.activeElement;
    heading.current?.focus({ preventScroll: true });
    return () => {
      // The page can take the focus again only once it is drawn without `inert`.
      requestAnimationFrame(() => before instanceof HTMLElement && before.focus({ preventScroll: true }));
    };
  }, []);

  const later = () => {
    ignoreUpgrade();
    goBack();
  };
  const leave = useEffectEvent(later);
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && leave();
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const update = () => {
    // The page below is loaded again in the newer version, without the panel over it.
    const stop = router.subscribe('onResolved', () => {
      stop();
      void loadNewer();
    });
    goBack();
  };

  return (
    <dialog
      open
      aria-modal
      aria-labelledby="update-title"
      className="fixed inset-0 z-40 grid size-full max-h-none max-w-none animate-fade place-items-end bg-ink/60 text-ink lg:place-items-center"
    >
      <section className="flex max-h-full w-full animate-rise flex-col gap-4 overflow-y-auto rounded-t-sheet bg-surface p-6 pb-[calc(env(safe-area-inset-bottom)+24px)] shadow-sheet lg:w-[440px] lg:rounded-sheet">
        <span
          aria-hidden
          className="grid size-14 shrink-0 place-items-center rounded-full bg-brand-soft text-brand-ink [&>svg]:size-7"
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
    </dialog>
  );
}
