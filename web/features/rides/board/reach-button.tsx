import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { InputOf } from '#contract/define.ts';
import { nearPlaceMetres, type reach } from '#contract/rides/endpoints.ts';
import { reasonLength } from '#contract/units.ts';
import { dropDraft, useTextDraft } from '../../../core/drafts.ts';
import { metresBetween } from '../../../core/metres-between.ts';
import { useFormat } from '../../../core/use-format.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextArea } from '../../../ui/inputs.tsx';
import { whereAmI, type Here } from '../live/where-am-i.ts';

type Told = Pick<InputOf<typeof reach>, 'at' | 'reason'>;

const readyReasons = ['inexact', 'noStopping', 'agreed'] as const;

/**
 * "I'm here": by the device's position where it says so. Elsewhere one tap on a ready reason says it too,
 * which the passengers read; where no passenger is met, no reason is asked for.
 */
export function ReachButton({
  label,
  place,
  isMeeting,
  busy,
  disabled = false,
  onReach,
}: {
  label: string;
  place: Here;
  /** Whether a passenger is met here. */
  isMeeting: boolean;
  busy: boolean;
  disabled?: boolean;
  onReach: (told: Told) => void;
}) {
  const [isLooking, setIsLooking] = useState(false);
  /** Where the device is while a reason is asked for; null where it does not say. */
  const [doubt, setDoubt] = useState<{ at: Here | null } | null>(null);

  const look = async () => {
    setIsLooking(true);
    const at = await whereAmI();
    setIsLooking(false);
    if (!isMeeting) onReach(at === null ? {} : { at });
    else if (at !== null && metresBetween(at, place) <= nearPlaceMetres) onReach({ at });
    else setDoubt({ at });
  };
  return (
    <>
      <Button full busy={busy || isLooking} disabled={disabled} onClick={() => void look()}>
        {label}
      </Button>
      {doubt !== null && (
        <WhyThere
          place={place}
          at={doubt.at}
          busy={busy}
          onClose={() => setDoubt(null)}
          onTell={(reason) => {
            onReach({ ...(doubt.at ? { at: doubt.at } : {}), reason });
            setDoubt(null);
          }}
        />
      )}
    </>
  );
}

/** Asks why the position does not match: one tap on a ready reason, or the driver's own words. */
function WhyThere({
  place,
  at,
  busy,
  onClose,
  onTell,
}: {
  place: Here;
  at: Here | null;
  busy: boolean;
  onClose: () => void;
  onTell: (reason: string) => void;
}) {
  const { t } = useTranslation(['rides', 'common']);
  const format = useFormat();
  const draft = `reach.${place.lon},${place.lat}`;
  const [words, setWords] = useTextDraft(draft);
  const away = at === null ? null : format.distance(Math.round(metresBetween(at, place)));
  const own = words.trim();
  const tell = (reason: string) => {
    dropDraft(draft);
    onTell(reason);
  };
  return (
    <Dialog
      open
      onOpenChange={(shown) => !shown && onClose()}
      title={t('rides:there.title')}
      description={away === null ? t('rides:there.unknown') : t('rides:there.far', { distance: away })}
      closeLabel={t('common:close')}
    >
      <div className="flex flex-col gap-3">
        {readyReasons.map((reason) => (
          <Button
            key={reason}
            full
            tone="quiet"
            busy={busy}
            onClick={() => tell(t(`rides:there.why.${reason}`))}
          >
            {t(`rides:there.why.${reason}`)}
          </Button>
        ))}
        <Field label={t('rides:reason.words')} note={t('common:optional')}>
          <TextArea
            rows={2}
            maxLength={reasonLength}
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        </Field>
        {own !== '' && (
          <Button full busy={busy} onClick={() => tell(own)}>
            {t('rides:there.send')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
