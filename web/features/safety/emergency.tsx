import { Link } from '@tanstack/react-router';
import { Phone, Siren } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { emergencyNumberOf } from '#contract/safety/emergency.ts';
import { raiseAlarm, readTrustedContact } from '#contract/safety/endpoints.ts';
import type { Ride } from '#contract/rides/views.ts';
import { reversePlace } from '#contract/geo/endpoints.ts';
import { errorWords } from '../../core/errors.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { usePosition } from '../../map/position.ts';
import { Button, buttonVariants, TextButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Banner } from '../../ui/surfaces.tsx';

type Position = ReturnType<typeof usePosition>;

/** The words for the phone call and the trusted contact: read once the question is open. */
function useEmergencyCall(ride: Ride, position: Position, open: boolean) {
  const number = emergencyNumberOf(ride.timeZone);
  const [lon, lat] = position.at ?? [null, null];
  const place = useCall(
    reversePlace,
    { lon: lon ?? 0, lat: lat ?? 0 },
    { enabled: open && lon !== null, quiet: true },
  );
  const trusted = useCall(readTrustedContact, {}, { enabled: open, quiet: true });
  const alarm = useAction(raiseAlarm);
  const [told, setTold] = useState('');
  const tell = async () => {
    const done = await alarm.ask({ id: ride.id, lon, lat });
    if (done !== null && done.told.length > 0) setTold(done.name);
  };
  return {
    number,
    place: place.data,
    trusted: trusted.data,
    alarm,
    /** The trusted contact who has been notified; empty until then. */
    told,
    tell,
    forget: () => setTold(''),
  };
}

type EmergencyCall = ReturnType<typeof useEmergencyCall>;

/**
 * The emergency button. It opens what one needs to say on the phone; the call is a second, deliberate tap.
 */
export function Emergency({ ride, vehicle }: { ride: Ride; vehicle: string }) {
  const { t } = useTranslation(['safety', 'common']);
  const [open, setOpen] = useState(false);
  const position = usePosition();
  const call = useEmergencyCall(ride, position, open);
  return (
    <>
      <TextButton
        tone="danger"
        className="self-start"
        onClick={() => {
          setOpen(true);
          call.forget();
          void position.locate();
        }}
      >
        <Siren aria-hidden className="size-5" />
        {t('safety:sos.button')}
      </TextButton>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t('safety:sos.title')}
        description={t('safety:sos.text')}
        closeLabel={t('common:close')}
        action={<CallButtons call={call} />}
      >
        <WhereAndWho ride={ride} vehicle={vehicle} position={position} place={call.place} />
        <div aria-live="assertive" className="flex flex-col gap-3 pt-4 empty:hidden">
          <Outcome call={call} />
        </div>
      </Dialog>
    </>
  );
}

function CallButtons({ call: { number, trusted, alarm, tell } }: { call: EmergencyCall }) {
  const { t } = useTranslation('safety');
  const name = trusted?.name ?? '';
  return (
    <div className="flex flex-col gap-2">
      <a
        href={`tel:${number}`}
        onClick={() => void tell()}
        className={buttonVariants({ tone: 'danger', full: true })}
      >
        <Phone aria-hidden className="size-5" />
        {name === '' ? t('sos.call', { number }) : t('sos.callAndTell', { number, name })}
      </a>
      {name !== '' && (
        <Button full tone="quiet" busy={alarm.busy} onClick={() => void tell()}>
          {t('sos.tellOnly', { name })}
        </Button>
      )}
    </div>
  );
}

/** What one says on the phone: where, which car, whose. */
function WhereAndWho({
  ride,
  vehicle,
  position,
  place,
}: {
  ride: Ride;
  vehicle: string;
  position: Position;
  place: EmergencyCall['place'];
}) {
  const { t } = useTranslation('safety');
  const [lon, lat] = position.at ?? [null, null];
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-lead">
      <dt className="text-ink-3">{t('sos.place')}</dt>
      <dd className="break-words">
        {lon === null || lat === null ? (
          t(position.state === 'failed' ? 'sos.noPlace' : 'sos.locating')
        ) : (
          <>
            {place === undefined ? '' : [place.name, place.detail].filter(Boolean).join(', ')}
            <span className="figures block text-small text-ink-3">
              {lat.toFixed(5)}, {lon.toFixed(5)}
            </span>
          </>
        )}
      </dd>
      {ride.vehicle !== null && (
        <>
          <dt className="text-ink-3">{t('sos.car')}</dt>
          <dd>
            <span className="figures font-semibold">{ride.vehicle.plate}</span> {vehicle}
          </dd>
        </>
      )}
      <dt className="text-ink-3">{t('sos.driver')}</dt>
      <dd>{ride.driver.name}</dd>
    </dl>
  );
}

/** Who was notified, why that failed, or that no trusted contact is named. */
function Outcome({ call: { told, alarm, trusted } }: { call: EmergencyCall }) {
  const { t } = useTranslation('safety');
  return (
    <>
      {told !== '' && <Banner kind="info">{t('sos.told', { name: told })}</Banner>}
      {alarm.error !== null && <Banner kind="danger">{errorWords(alarm.error)}</Banner>}
      {trusted?.name === '' && (
        <p className="text-body text-ink-2">
          {t('sos.nobody')}{' '}
          <Link
            to="/pages/account/settings2"
            className="font-semibold text-brand-ink underline underline-offset-4"
          >
            {t('sos.name')}
          </Link>
        </p>
      )}
    </>
  );
}
