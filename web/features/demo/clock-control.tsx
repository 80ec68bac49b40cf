import { useNavigate } from '@tanstack/react-router';
import { AlarmClock, Clock, Mail, RotateCcw, TimerReset } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { moveClock } from '#contract/demo/endpoints.ts';
import { nextOrder } from '#contract/rides/endpoints.ts';
import { now, setServerNow, useNow } from '../../core/clock.ts';
import { useConfig } from '../../core/config.ts';
import { invalidate } from '../../core/query-client.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { useSession } from '../../core/session.ts';
import { useFormat } from '../../core/use-format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { List, ListRow } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

const minuteMs = 60_000;
const aheadOfRideMs = 10 * minuteMs;

/**
 * The demo's time and the ways to move it: a slim line at the top of a phone, a chip in the rail of a
 * desktop. It never covers anything.
 */
export function ClockControl() {
  const { t } = useTranslation('demo');
  const format = useFormat();
  const [open, setOpen] = useState(false);
  const at = useNow(5000);
  const { data: config } = useConfig();
  const zone = config?.region.timeZone ?? 'UTC';
  const time = format.timeOfDay(new Date(at).toISOString(), zone);
  return (
    <>
      <button
        type="button"
        aria-label={t('clock.chip', { time })}
        onClick={() => setOpen(true)}
        className="strip figures relative z-30 flex min-h-7 w-full shrink-0 items-center justify-center gap-1.5 bg-warn-soft text-small font-semibold text-warn after:absolute after:inset-x-0 after:top-0 after:-bottom-4 focus-visible:-outline-offset-3 lg:mx-auto lg:mt-auto lg:min-h-11 lg:w-[72px] lg:rounded-control lg:after:hidden"
      >
        <AlarmClock aria-hidden className="size-4" />
        <span className="lg:hidden">{t('clock.chip', { time })}</span>
        <span className="hidden lg:inline">{time}</span>
      </button>
      <ClockDialog open={open} onOpenChange={setOpen} zone={zone} />
    </>
  );
}

function ClockDialog({
  open,
  onOpenChange,
  zone,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  zone: string;
}) {
  const { t } = useTranslation(['demo', 'common']);
  const navigate = useNavigate();
  const format = useFormat();
  const departure = useNextDeparture(open);
  const move = useMoveClock(zone, () => onOpenChange(false));
  const forward = (ms: number) => move.run({ to: new Date(now() + ms).toISOString() });
  const target = departure === null ? 0 : departure - aheadOfRideMs;

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('demo:clock.title')}
      description={t('demo:clock.text')}
      closeLabel={t('common:close')}
    >
      <p className="figures pb-4 text-title font-semibold">
        {format.when(new Date(now()).toISOString(), zone)}
      </p>
      <List>
        <ListRow
          leading={<Clock aria-hidden />}
          title={t('demo:clock.quarter')}
          disabled={move.busy}
          onClick={() => forward(15 * minuteMs)}
        />
        <ListRow
          leading={<Clock aria-hidden />}
          title={t('demo:clock.hour')}
          disabled={move.busy}
          onClick={() => forward(60 * minuteMs)}
        />
        {target > now() && (
          <ListRow
            leading={<TimerReset aria-hidden />}
            title={t('demo:clock.beforeRide')}
            detail={format.when(new Date(target).toISOString(), zone)}
            disabled={move.busy}
            onClick={() => move.run({ to: new Date(target).toISOString() })}
          />
        )}
        <ListRow
          leading={<RotateCcw aria-hidden />}
          title={t('demo:clock.real')}
          disabled={move.busy}
          onClick={() => move.run({ to: null })}
        />
        <ListRow
          leading={<Mail aria-hidden />}
          title={t('demo:clock.outbox')}
          chevron
          onClick={() => {
            onOpenChange(false);
            void navigate({ to: '/pages/demo/outbox' });
          }}
        />
      </List>
    </Dialog>
  );
}

function useMoveClock(zone: string, onMoved: () => void) {
  const { t } = useTranslation('demo');
  const format = useFormat();
  return useAction(moveClock, {
    onDone: ({ now: moved }) => {
      setServerNow(moved);
      void invalidate();
      onMoved();
      toast.done(t('clock.moved', { time: format.when(moved, zone) }));
    },
  });
}

/** When I next leave, as a driver or as a passenger, in milliseconds. */
function useNextDeparture(open: boolean): number | null {
  const { signedIn } = useSession();
  const enabled = open && signedIn;
  const driver = useCall(nextOrder, { role: 'driver' }, { enabled, quiet: true });
  const passenger = useCall(nextOrder, { role: 'passenger' }, { enabled, quiet: true });
  const times = [driver.data?.order, passenger.data?.order]
    .flatMap((order) => (order == null ? [] : [Date.parse(order.departsAt ?? order.startsAt)]))
    .filter((at) => at > now());
  return times.length === 0 ? null : Math.min(...times);
}
