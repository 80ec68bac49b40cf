import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { InputOf } from '#contract/define.ts';
import { nearPlaceMetres, type reach } from '#contract/rides/endpoints.ts';
import { dropDraft } from '../../../core/drafts.ts';
import { useFormat } from '../../../core/use-format.ts';
import { Button } from '../../../ui/button.tsx';
import { ReasonDialog } from '../detail/reason-dialog.tsx';
import { metresBetween, whereAmI, type Here } from '../live/where-am-i.ts';

type Told = Pick<InputOf<typeof reach>, 'at' | 'reason'>;

/** "I'm here": by the device's position where it says so, else with a reason that the others can read. */
export function ReachButton({
  label,
  place,
  busy,
  disabled = false,
  onReach,
}: {
  label: string;
  place: Here;
  busy: boolean;
  disabled?: boolean;
  onReach: (told: Told) => void;
}) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const draft = `reach.${place.lon},${place.lat}`;
  const [looking, setLooking] = useState(false);
  /** Where the device is while a reason is asked for; null where it does not say. */
  const [doubt, setDoubt] = useState<{ at: Here | null } | null>(null);

  const look = async () => {
    setLooking(true);
    const at = await whereAmI();
    setLooking(false);
    if (at !== null && metresBetween(at, place) <= nearPlaceMetres) onReach({ at });
    else setDoubt({ at });
  };
  const away = doubt?.at ? format.distance(Math.round(metresBetween(doubt.at, place))) : null;
  return (
    <>
      <Button full busy={busy || looking} disabled={disabled} onClick={() => void look()}>
        {label}
      </Button>
      <ReasonDialog
        draft={draft}
        open={doubt !== null}
        onOpenChange={(open) => !open && setDoubt(null)}
        title={t('there.title')}
        text={away === null ? t('there.unknown') : t('there.far', { distance: away })}
        choices={[t('there.why.inexact'), t('there.why.noStopping'), t('there.why.agreed')]}
        required
        tone="primary"
        confirmLabel={label}
        busy={busy}
        onConfirm={(reason) => {
          onReach({ ...(doubt?.at ? { at: doubt.at } : {}), reason });
          dropDraft(draft);
          setDoubt(null);
        }}
      />
    </>
  );
}
