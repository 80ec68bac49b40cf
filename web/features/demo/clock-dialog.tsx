import { useNavigate } from '@tanstack/react-router';
import { Clock, Mail, RotateCcw, TimerReset } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { moveClock } from '#contract/demo/endpoints.ts';
import { nextOrder } from '#contract/rides/endpoints.ts';
import { now, setServerNow } from '../../core/clock.ts';
import { invalidate } from '../../core/query-client.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { useSession } from '../../core/use-session.ts';
import { useFormat } from '../../core/use-format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { List, ListRow } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

const minuteMs = 60_000;
const aheadOfRideMs = 10 * minuteMs;

/** The ways to move the demo's clock. */
export function ClockDialog({
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
      toast.done(t('clock.moved', { time: format.whenInSentence(moved, zone) }));
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
