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
import { Button, buttonLook, TextButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Banner } from '../../ui/surfaces.tsx';

/** The emergency button. It opens what one needs to say on the phone; the call is a second, deliberate tap. */
export function Emergency({ ride, vehicle }: { ride: Ride; vehicle: string }) {
  const { t } = useTranslation(['safety', 'common']);
  const [open, setOpen] = useState(false);
  const position = usePosition();
  const number = emergencyNumberOf(ride.timeZone);
  const [lon, lat] = position.at ?? [null, null];
  const place = useCall(
    reversePlace,
    { lon: lon ?? 0, lat: lat ?? 0 },
    { enabled: open && lon !== null, quiet: true },
  );
  const trusted = useCall(readTrustedContact, {}, { enabled: open, quiet: true });
  const name = trusted.data?.name ?? '';
  const alarm = useAction(raiseAlarm);
  const [told, setTold] = useState('');
  const tell = async () => {
    const done = await alarm.ask({ id: ride.id, lon, lat });
    if (done !== null && done.told.length > 0) setTold(done.name);
  };
  return (
    <>
      <TextButton
        tone="danger"
        className="self-start"
        onClick={() => {
          setOpen(true);
          setTold('');
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
        action={
          <div className="flex flex-col gap-2">
            <a
              href={`tel:${number}`}
              onClick={() => void tell()}
              className={buttonLook({ tone: 'danger', full: true })}
            >
              <Phone aria-hidden className="size-5" />
              {name === '' ? t('safety:sos.call', { number }) : t('safety:sos.callAndTell', { number, name })}
            </a>
            {name !== '' && (
              <Button full tone="quiet" busy={alarm.busy} onClick={() => void tell()}>
                {t('safety:sos.tellOnly', { name })}
              </Button>
            )}
          </div>
        }
      >
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-lead">
          <dt className="text-ink-3">{t('safety:sos.place')}</dt>
          <dd className="break-words">
            {lon === null || lat === null ? (
              t(position.state === 'failed' ? 'safety:sos.noPlace' : 'safety:sos.locating')
            ) : (
              <>
                {place.data === undefined
                  ? ''
                  : [place.data.name, place.data.detail].filter(Boolean).join(', ')}
                <span className="figures block text-small text-ink-3">
                  {lat.toFixed(5)}, {lon.toFixed(5)}
                </span>
              </>
            )}
          </dd>
          {ride.vehicle !== null && (
            <>
              <dt className="text-ink-3">{t('safety:sos.car')}</dt>
              <dd>
                <span className="figures font-semibold">{ride.vehicle.plate}</span> {vehicle}
              </dd>
            </>
          )}
          <dt className="text-ink-3">{t('safety:sos.driver')}</dt>
          <dd>{ride.driver.name}</dd>
        </dl>
        <div aria-live="assertive" className="flex flex-col gap-3 pt-4 empty:hidden">
          {told !== '' && <Banner kind="info">{t('safety:sos.told', { name: told })}</Banner>}
          {alarm.error !== null && <Banner kind="danger">{errorWords(alarm.error)}</Banner>}
          {trusted.data?.name === '' && (
            <p className="text-body text-ink-2">
              {t('safety:sos.nobody')}{' '}
              <Link
                to="/pages/account/settings2"
                className="font-semibold text-brand-ink underline underline-offset-4"
              >
                {t('safety:sos.name')}
              </Link>
            </p>
          )}
        </div>
      </Dialog>
    </>
  );
}
