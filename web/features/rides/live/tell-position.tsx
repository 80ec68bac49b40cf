import { Navigation, NavigationOff } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tellLocation, tellRiderLocation, whereIsCar } from '#contract/trips/endpoints.ts';
import type { Booking, Ride } from '#contract/rides/views.ts';
import { call } from '../../../core/api.ts';
import type { DevicePosition } from '../../../core/device/device.ts';
import { device } from '../../../core/device/this-device.ts';
import { keyOf } from '../../../core/queries.ts';
import { queryClient } from '../../../core/query-client.ts';
import { isUnderWay } from './car.ts';
import { useWakeLock } from './use-wake-lock.ts';
import { keepWatched } from './where-am-i.ts';

/** A little longer than the server's shortest pause, so that a quick network does not cost a position. */
const pauseMs = 2500;
/** A car that does not move sends its position now and then, so that no one takes it for an old one. */
const stillHereMs = 20_000;

type Telling = 'asking' | 'telling' | 'refused';

/** No position is sent twice: the server need not remember its answer. */
const inPassing = { quiet: true, inBackground: true, idempotencyKey: '' } as const;

/** Reports each position of the device that it may send, and says whether it may. */
function usePositionReport(
  active: boolean,
  why: string,
  report: (at: DevicePosition) => Promise<unknown>,
): Telling {
  const { t } = useTranslation('rides');
  const [telling, setTelling] = useState<Telling>('asking');
  const notice = useEffectEvent(() => ({ title: t('car.noticeTitle'), text: why }));
  const tell = useEffectEvent(report);
  useEffect(() => {
    if (!active) return undefined;
    let newest: DevicePosition | null = null;
    let sentAtMs = 0;
    let busy = false;
    const send = async () => {
      if (newest === null || busy || Date.now() - sentAtMs < pauseMs) return;
      const at = newest;
      newest = null;
      busy = true;
      sentAtMs = Date.now();
      try {
        await tell(at);
      } catch {
        // The next position follows in seconds; an old one is worth nothing.
      } finally {
        busy = false;
      }
    };
    let last: DevicePosition | null = null;
    const end = device().follow({
      moved(at) {
        setTelling('telling');
        newest = at;
        last = at;
        keepWatched(at);
        void send();
      },
      lost(why) {
        // An old position is no proof of being anywhere now.
        keepWatched(null);
        if (why === 'refused') setTelling('refused');
      },
      notice: notice(),
    });
    const again = setInterval(() => {
      if (Date.now() - sentAtMs >= stillHereMs) newest ??= last;
      void send();
    }, pauseMs);
    return () => {
      end();
      keepWatched(null);
      clearInterval(again);
    };
  }, [active]);

  return telling;
}

/** While the driver's page is open on a ride under way, those concerned are shown where the car is. */
export function TellPosition({ ride }: { ride: Ride }) {
  const { t } = useTranslation('rides');
  const active = ride.mine && isUnderWay(ride);
  const telling = usePositionReport(active, t('car.telling'), async ({ lon, lat, headingDegrees }) => {
    const input = { id: ride.id, lon, lat, headingDegrees };
    const { position } = await call(tellLocation, input, inPassing);
    queryClient.setQueryData(keyOf(whereIsCar, { id: ride.id }), { position });
  });
  useWakeLock(active);

  if (!active || ride.passengers.length === 0) return null;
  const Icon = telling === 'refused' ? NavigationOff : Navigation;
  return (
    <p className="flex items-start gap-2 text-small text-ink-2">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      {t(`car.${telling}`)}
    </p>
  );
}

/**
 * Until both sides have confirmed their meeting, the passenger's page sends the passenger's position: who
 * moves with the car is on board.
 */
export function TellRiderPosition({ booking }: { booking: Booking }) {
  const { t } = useTranslation('rides');
  const active = booking.state === 'picking';
  const telling = usePositionReport(active, t('car.riderTelling'), ({ lon, lat }) =>
    call(tellRiderLocation, { bookingId: booking.id, lon, lat }, inPassing),
  );
  if (!active || telling !== 'telling') return null;
  return (
    <p className="flex items-start gap-2 text-small text-ink-2">
      <Navigation aria-hidden className="mt-0.5 size-4 shrink-0" />
      {t('car.riderTelling')}
    </p>
  );
}
