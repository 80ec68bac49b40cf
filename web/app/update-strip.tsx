import { useRouter } from '@tanstack/react-router';
import { Sparkles } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNewerVersion } from '../core/config.ts';
import { ignoreUpgrade, useUpgradeIgnored } from '../core/launch.ts';

const lookAgainMs = 500;

/**
 * Offers a newer version once a launch, in a slim line at the edge of the page: the page and its address stay
 * as they are, and the line comes when no one is typing, so that it moves nothing under their fingers.
 */
export function UpdateStrip() {
  const { t } = useTranslation();
  const newer = useNewerVersion();
  const ignored = useUpgradeIgnored();
  const quiet = useQuietMoment(newer && !ignored);
  const router = useRouter();
  const shown = newer && !ignored && quiet;
  return (
    <output className="block shrink-0">
      {shown && (
        <span className="strip block animate-fade bg-brand-soft text-brand-ink">
          <span className="flex items-center justify-center gap-1 pr-1 pl-4 text-small font-semibold">
            <Sparkles aria-hidden className="size-4 shrink-0" />
            <span className="min-w-0 truncate px-1">{t('update.ready')}</span>
            <StripButton onClick={() => void router.navigate({ to: '/pages/update/update' })}>
              {t('update.show')}
            </StripButton>
            <StripButton onClick={ignoreUpgrade}>{t('later')}</StripButton>
          </span>
        </span>
      )}
    </output>
  );
}

function StripButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      className="min-h-11 min-w-11 shrink-0 rounded-control px-3 underline underline-offset-4 focus-visible:-outline-offset-3"
      onClick={onClick}
    >
      {children}
    </button>
  );
}

/** Whether there has been a moment without typing, a dialog or a page on its way since this was wanted. */
function useQuietMoment(wanted: boolean): boolean {
  const router = useRouter();
  const [came, setCame] = useState(false);
  useEffect(() => {
    if (!wanted || came) return undefined;
    let timer = 0;
    const look = () => {
      if (router.state.status === 'pending' || isBusy()) timer = window.setTimeout(look, lookAgainMs);
      else setCame(true);
    };
    look();
    return () => clearTimeout(timer);
  }, [wanted, came, router]);
  return came;
}

const isBusy = (): boolean =>
  document.activeElement?.matches('input, textarea, select, [contenteditable]') === true ||
  document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
