import { WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { byServer } from '../core/clock.ts';
import { useShownSince } from '../core/offline-cache.ts';
import { useConnectionState } from '../core/realtime.ts';
import { useFormat } from '../core/use-format.ts';

/** A connection that is back within this time was never worth a word. */
const patienceMs = 3000;

/** A slim line while live updates do not arrive; it says how old the data of the page is. */
export function ConnectionBanner() {
  const state = useConnectionState();
  return (
    <output className="block shrink-0">
      {state !== 'online' && <LostLine key={state} afterMs={state === 'offline' ? 0 : patienceMs} />}
    </output>
  );
}

function LostLine({ afterMs }: { afterMs: number }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(afterMs === 0);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  if (!shown) return null;
  return (
    <span className="strip block animate-fade bg-warn-soft text-warn">
      <span className="flex flex-wrap items-center justify-center gap-x-2 px-4 py-1.5 text-small font-semibold">
        <WifiOff aria-hidden className="size-4" />
        <span>{t('offlineBanner')}</span>
        <ShownSince />
      </span>
    </span>
  );
}

function ShownSince() {
  const { t } = useTranslation();
  const format = useFormat();
  const since = useShownSince();
  if (since === null) return null;
  return (
    <span className="figures">
      {t('shownSince', { ago: format.relative(new Date(byServer(since)).toISOString()) })}
    </span>
  );
}
