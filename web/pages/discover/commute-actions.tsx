import { useLocation, useNavigate } from '@tanstack/react-router';
import { BellPlus, BellRing, CalendarSync } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { createAlert, deleteAlert, listAlerts } from '#contract/alerts/endpoints.ts';
import type { PopularWay } from '#contract/discover/endpoints.ts';
import { listAddresses } from '#contract/geo/endpoints.ts';
import { now } from '../../core/clock.ts';
import { dayOf } from '#contract/formats/times.ts';
import { keepTap, useKeptTap } from '../../core/kept-tap.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { useSession } from '../../core/use-session.ts';
import { alertTimes } from '../../features/discover/commute-times.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts.tsx';
import { planWeekly } from './plan-weekly.ts';

/** From anywhere in a neighborhood it is this far to where the car comes by, at most. */
const walkMetres = 1200;

/** Notifications of rides on a commute: whether I get them, asking for them and taking it back. */
function useCommuteAlert(commute: PopularWay) {
  const { t } = useTranslation('discover');
  const { signedIn } = useSession();
  const { data: kept } = useCall(listAlerts, {}, { enabled: signedIn, quiet: true });
  const save = useAction(createAlert, {
    invalidates: ['/alert/'],
    onDone: () => toast.done(t('ways.saved')),
  });
  const remove = useAction(deleteAlert, {
    invalidates: ['/alert/'],
    onDone: () => toast.info(t('ways.undone')),
  });
  const { from, to, timeZone } = commute;
  const today = dayOf(now(), timeZone);
  const alert = signedIn
    ? kept?.alerts.find(
        (each) =>
          each.role === 'passenger' &&
          !each.ended &&
          each.from.lon === from.lon &&
          each.from.lat === from.lat &&
          each.to.lon === to.lon &&
          each.to.lat === to.lat &&
          each.times.kind === 'weekly' &&
          each.times.fromTime === alertTimes(commute, today).fromTime,
      )
    : undefined;
  const tell = () =>
    save.run({
      alert: {
        role: 'passenger',
        from,
        to,
        times: alertTimes(commute, today),
        seats: 1,
        offerCents: null,
        walkMetres,
      },
    });
  return { alert, busy: save.busy, tell, undo: (id: string) => remove.run({ id }) };
}

/**
 * One tap each: notifications of rides on this commute, until it is taken back; or the planning page, filled
 * in for every week.
 */
export function CommuteActions({
  commute,
  prominent,
}: {
  commute: PopularWay;
  /** Of several on a screen, the one in view. */
  prominent: boolean;
}) {
  const { t } = useTranslation('discover');
  const { signedIn } = useSession();
  const navigate = useNavigate();
  const here = useLocation({ select: ({ href }) => href });
  const { data: addresses } = useCall(listAddresses, {}, { enabled: signedIn, quiet: true });
  const { alert, busy, tell, undo } = useCommuteAlert(commute);
  const offer = () => {
    planWeekly(commute, addresses?.shortcuts ?? [], dayOf(now(), commute.timeZone));
    void navigate({ to: '/pages/order/confirm', search: { role: 'driver' } });
  };
  const taps = { tell, offer };
  const name = `commute.${commute.from.name}.${commute.to.name}.`;
  const tapped = (which: keyof typeof taps) => {
    if (signedIn) return taps[which]();
    keepTap(`${name}${which}`);
    return void navigate({ to: '/pages/auth/auth', search: { returnTo: here } });
  };
  useKeptTap(name, (which) => {
    taps[which === 'tell' ? 'tell' : 'offer']();
    return true;
  });
  return (
    <div className="flex flex-col gap-2 sm:flex-row">
      {alert === undefined ? (
        <Button
          small
          full
          tone={prominent ? 'primary' : 'quiet'}
          busy={busy}
          icon={<BellPlus aria-hidden className="size-5" />}
          onClick={() => tapped('tell')}
        >
          {t('ways.tell')}
        </Button>
      ) : (
        <div className="flex min-h-11 w-full items-center gap-2 rounded-control bg-brand-soft pl-3 text-body font-semibold text-brand-ink">
          <BellRing aria-hidden className="size-5 shrink-0" />
          <output className="min-w-0 flex-1">{t('ways.told')}</output>
          <TextButton onClick={() => undo(alert.id)}>{t('ways.undo')}</TextButton>
        </div>
      )}
      <Button
        tone="quiet"
        small
        full
        icon={<CalendarSync aria-hidden className="size-5" />}
        onClick={() => tapped('offer')}
      >
        {t('ways.offer')}
      </Button>
    </div>
  );
}
