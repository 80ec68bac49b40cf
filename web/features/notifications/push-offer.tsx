import { BellPlus, BellRing } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { phoneCarriers, readSettings } from '#contract/notifications/endpoints.ts';
import { device } from '../../core/device/this-device.ts';
import { useCall } from '../../core/queries.ts';
import { stored } from '../../core/stored.ts';
import { useSession } from '../../core/use-session.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { usePush, type PushOffer as Offered } from './push.ts';

/** The thing just done, by which the card says what the person will hear of. */
type Moment = 'ride' | 'request' | 'seat' | 'alert';

/** That the person does not want to be offered them on this device. */
const declined = stored('pushOfferDeclined', (raw) => raw === true);

/** True where this device may ask for push messages, and its person has not decided yet. */
function useIsAskable(): boolean {
  const { signedIn } = useSession();
  const [isAskable, setAskable] = useState(false);
  useEffect(() => {
    if (!signedIn || declined.read()) return;
    const look = async () => (await (await device().push()).standing(phoneCarriers)) === 'askable';
    void look().then(setAskable, () => setAskable(false));
  }, [signedIn]);
  return isAskable;
}

/**
 * Offers push messages at a moment when they help. The browser asks only after a tap; where push is
 * impossible or decided, nothing is shown.
 */
export function PushOffer({ moment }: { moment: Moment }) {
  const isAskable = useIsAskable();
  const settings = useCall(readSettings, {}, { enabled: isAskable, quiet: true });
  if (!isAskable || settings.data === undefined) return null;
  return <OfferCard moment={moment} push={settings.data.push} />;
}

function OfferCard({ moment, push }: { moment: Moment; push: Offered }) {
  const { t } = useTranslation('notifications');
  const { state, busy, failed, turn } = usePush(push);
  const [isClosed, setClosed] = useState(false);
  if (isClosed || (state !== 'off' && state !== 'on')) return null;
  if (state === 'on')
    return (
      <Card className="flex items-center gap-3">
        <BellRing aria-hidden className="size-6 shrink-0 text-brand-ink" />
        <output className="text-body">{t('device.on')}</output>
      </Card>
    );
  return (
    <Card>
      <section aria-labelledby="push-offer" className="flex flex-col gap-3">
        <div className="flex items-start gap-3">
          <BellPlus aria-hidden className="mt-0.5 size-6 shrink-0 text-brand-ink" />
          <div className="min-w-0">
            <h2 id="push-offer" className="text-lead">
              {t(`offer.${moment}`)}
            </h2>
            <p className="text-body text-ink-2">{failed ? t('device.failed') : t('offer.text')}</p>
          </div>
        </div>
        <div className="flex gap-2">
          <Button tone="quiet" small className="flex-1" busy={busy} onClick={() => turn(true)}>
            {t('offer.on')}
          </Button>
          <Button
            tone="quiet"
            small
            className="flex-1"
            disabled={busy}
            onClick={() => {
              declined.write(true);
              setClosed(true);
            }}
          >
            {t('offer.later')}
          </Button>
        </div>
      </section>
    </Card>
  );
}
