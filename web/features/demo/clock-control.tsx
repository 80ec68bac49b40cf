import { AlarmClock } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../core/clock.ts';
import { useConfig } from '../../core/config.ts';
import { lazyPart } from '../../core/lazy-part.ts';
import { useFormat } from '../../core/use-format.ts';

const ClockDialog = lazyPart(async () => (await import('./clock-dialog.tsx')).ClockDialog, ['demo']);

/**
 * The demo's time and the ways to move it: a slim line at the top of a phone, a chip in the rail of a
 * desktop. It never covers anything.
 */
export function ClockControl() {
  const { t } = useTranslation('demo');
  const format = useFormat();
  const [open, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const at = useNow(5000);
  const { data: config } = useConfig();
  const zone = config?.region.timeZone ?? 'UTC';
  const time = format.timeOfDay(new Date(at).toISOString(), zone);
  return (
    <>
      <button
        type="button"
        aria-label={t('clock.chip', { time })}
        onClick={() => {
          setOpen(true);
          setWasOpened(true);
        }}
        className="strip figures relative z-30 flex min-h-7 w-full shrink-0 items-center justify-center gap-1.5 bg-warn-soft text-small font-semibold text-warn after:absolute after:inset-x-0 after:top-0 after:-bottom-4 focus-visible:-outline-offset-3 lg:mx-auto lg:mt-auto lg:min-h-11 lg:w-[72px] lg:flex-col lg:gap-0 lg:rounded-control lg:after:hidden"
      >
        <AlarmClock aria-hidden className="size-4" />
        <span className="lg:hidden">{t('clock.chip', { time })}</span>
        <span className="hidden lg:inline">{time}</span>
      </button>
      {wasOpened && (
        <Suspense>
          <ClockDialog open={open} onOpenChange={setOpen} zone={zone} />
        </Suspense>
      )}
    </>
  );
}
