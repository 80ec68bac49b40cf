import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '#contract/define.ts';
import { breakOff, breakOffPreview } from '#contract/trips/interrupted-rides.ts';
import { breakOffKinds, type BreakOffKind } from '#contract/rides/moves.ts';
import type { Ride } from '#contract/rides/views.ts';
import { reasonLength } from '#contract/units.ts';
import { useTextDraft } from '../../../core/drafts.ts';
import { errorWords } from '../../../core/errors.ts';
import { useCall } from '../../../core/queries.ts';
import { QueryView } from '../../../core/query-view.tsx';
import { useFormat } from '../../../core/use-format.ts';
import { MapView } from '../../../map/map-view.tsx';
import type { LonLat } from '../../../map/shapes.ts';
import { TextButton } from '../../../ui/button.tsx';
import { RadioList } from '../../../ui/choices.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextArea } from '../../../ui/inputs.tsx';
import { CoveredSpace } from '../../../ui/sheet.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useRideAction } from '../../../domain/ride/use-ride-action.ts';

type Preview = OutputOf<typeof breakOffPreview>;

const stillMs = 300;
const streetZoom = 14;

type Answer = Omit<ReturnType<typeof useAnswer>, 'forgetDraft'>;

/** Why the ride ends, as it is chosen and typed, and which of the two is still missing. */
function useAnswer(rideId: string) {
  const [kind, setKind] = useState<BreakOffKind | null>(null);
  const [reason, setReason, forgetDraft] = useTextDraft(`breakOff.${rideId}`);
  const [missing, setMissing] = useState<'kind' | 'reason' | null>(null);
  return { kind, setKind, reason, setReason, forgetDraft, missing, setMissing };
}

/**
 * The question before a ride ends on the way: what it would mean at the chosen place, the answers, and asking
 * for it.
 */
function useBreakOff(ride: Ride) {
  const { t } = useTranslation('rides');
  const [open, setOpen] = useState(false);
  const { forgetDraft, ...answer } = useAnswer(ride.id);
  const { kind, reason, setMissing } = answer;
  const [chosen, setChosen] = useState<LonLat | null>(null);
  const answers = useRef<HTMLDivElement>(null);
  const [lon, lat] = chosen ?? [];
  // Read when the question is asked, and as the place is chosen: metres decide who pays what.
  const preview = useCall(
    breakOffPreview,
    { id: ride.id, ...(lon === undefined ? {} : { lon, lat }) },
    { enabled: open, staleTime: 0, keepPrevious: true, quiet: true },
  );
  const action = useRideAction(breakOff, () => {
    forgetDraft();
    setOpen(false);
    toast.done(t('breakOff.done'));
  });
  const ask = (what: 'kind' | 'reason') => {
    setMissing(what);
    // What is missing may stand below what is shown of a long question.
    answers.current?.scrollIntoView({ block: 'end' });
  };
  const confirm = () => {
    if (kind === null) ask('kind');
    else if (kind === 'other' && reason.trim() === '') ask('reason');
    else
      action.run({
        id: ride.id,
        kind,
        reason: reason.trim(),
        ...(lon === undefined || lat === undefined ? {} : { place: { lon, lat } }),
      });
  };
  return {
    open,
    setOpen,
    setChosen,
    preview,
    answer,
    answers,
    busy: action.busy || (preview.data === undefined && preview.error === null),
    refusedReason: action.fields['reason'],
    confirm,
  };
}

/**
 * The driver cannot go on: why, where, and what that means for everyone, before the ride ends on the way.
 */
export function InterruptRide({ ride }: { ride: Ride }) {
  const { t } = useTranslation(['rides', 'common']);
  const { open, setOpen, setChosen, preview, answer, answers, busy, refusedReason, confirm } =
    useBreakOff(ride);
  return (
    <div className="flex justify-center">
      <TextButton tone="danger" onClick={() => setOpen(true)}>
        {t('rides:breakOff.button')}
      </TextButton>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={t('rides:breakOff.title')}
        text={t('rides:breakOff.text')}
        confirmLabel={t('rides:breakOff.confirm')}
        cancelLabel={t('common:back')}
        busy={busy}
        onConfirm={confirm}
      >
        <QueryView query={preview} skeleton={{ rows: 2 }}>
          {(shown) => (
            <>
              <Where preview={shown} onChosen={setChosen} />
              {preview.error !== null && (
                <p role="alert" className="text-body text-danger">
                  {errorWords(preview.error)}
                </p>
              )}
              <Consequences preview={shown} />
            </>
          )}
        </QueryView>
        <div ref={answers} className="flex flex-col gap-3">
          <Why answer={answer} refusedReason={refusedReason} />
        </div>
      </Confirm>
    </div>
  );
}

/** Why the driver cannot go on; in words too, which only another reason than those listed needs. */
function Why({
  answer: { kind, setKind, reason, setReason, missing, setMissing },
  refusedReason,
}: {
  answer: Answer;
  /** What the server found wrong with the words. */
  refusedReason: string | undefined;
}) {
  const { t } = useTranslation(['rides', 'common']);
  return (
    <>
      <Field
        label={t('rides:breakOff.why')}
        error={missing === 'kind' ? t('rides:breakOff.whyMissing') : undefined}
      >
        <RadioList
          options={breakOffKinds.map((value) => ({
            value,
            label: t(`rides:breakOff.kind.${value}`),
            detail: t(`rides:breakOff.counts.${value}`),
          }))}
          value={kind}
          onChange={(next) => {
            setKind(next);
            setMissing(null);
          }}
        />
      </Field>
      {kind !== null && (
        <Field
          label={t('rides:reason.words')}
          {...(kind === 'other' ? {} : { note: t('common:optional') })}
          error={missing === 'reason' ? t('rides:reason.missing') : refusedReason}
        >
          <TextArea
            rows={2}
            maxLength={reasonLength}
            value={reason}
            onChange={(event) => {
              setReason(event.target.value);
              setMissing(null);
            }}
          />
        </Field>
      )}
    </>
  );
}

/** Where the ride ends and how that is known; chosen on the map where the device does not say it. */
function Where({ preview, onChosen }: { preview: Preview; onChosen: (at: LonLat) => void }) {
  const { t } = useTranslation(['rides', 'common']);
  // Where the map begins, once it is asked for: following what is chosen, it would be pulled from under the
  // person's finger.
  const [center, setCenter] = useState<LonLat | null>(null);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const pick = (at: LonLat) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => onChosen(at), stillMs);
  };
  return (
    <section aria-label={t('rides:breakOff.place')} className="flex flex-col gap-2">
      <p aria-live="polite" className="text-body">
        {t(`rides:breakOff.where.${preview.source}`, { place: preview.place })}
      </p>
      {preview.source !== 'position' && center === null && (
        <TextButton onClick={() => setCenter([preview.lon, preview.lat])}>
          {t('rides:breakOff.choose')}
        </TextButton>
      )}
      {center !== null && (
        <>
          <p className="text-small text-ink-2">{t('rides:breakOff.mapText')}</p>
          <div className="relative h-56 shrink-0 overflow-hidden rounded-control">
            {/* The sheet of the page behind covers nothing of this map. */}
            <CoveredSpace>
              <MapView label={t('common:map.label')} center={center} zoom={streetZoom} onPick={pick} />
            </CoveredSpace>
          </div>
        </>
      )}
    </section>
  );
}

/** Who pays what, who is let go free, and what happens next. */
function Consequences({ preview }: { preview: Preview }) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const { aboard, notPicked, objectHours } = preview;
  const paid = aboard.some(({ shareCents }) => shareCents > 0);
  return (
    <section aria-label={t('breakOff.means')} className="rounded-control bg-page px-4 py-3">
      <ul className="flex list-disc flex-col gap-1.5 pl-4 text-body text-ink-2">
        {aboard.map(({ bookingId, name, riddenMetres, routeMetres, fareCents, shareCents }) => (
          <li key={bookingId}>
            {t(
              fareCents === 0 ? 'breakOff.rode' : shareCents === 0 ? 'breakOff.paysNothing' : 'breakOff.pays',
              {
                name,
                ridden: format.distance(riddenMetres),
                way: format.distance(routeMetres),
                share: format.money(shareCents),
                fare: format.money(fareCents),
              },
            )}
          </li>
        ))}
        {notPicked > 0 && <li>{t('breakOff.notPicked', { count: notPicked })}</li>}
        {aboard.length > 0 && <li>{t('breakOff.onward')}</li>}
        {paid && <li>{t('breakOff.object', { count: objectHours })}</li>}
        <li>{t('breakOff.seen')}</li>
      </ul>
    </section>
  );
}
