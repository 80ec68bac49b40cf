import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { proposeChange } from '#contract/rides/endpoints.ts';
import type { Ride } from '#contract/rides/views.ts';
import { noteLength } from '#contract/units.ts';
import { now } from '../../base/clock.ts';
import { errorWords, fieldWords } from '../../base/errors.ts';
import { zoneName } from '../../base/format.ts';
import { invalidate } from '../../base/query-client.ts';
import { useAction } from '../../base/queries.ts';
import { instantOf, localOf } from '../../base/zoned-time.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { DateTimeField, MoneyField, TextArea } from '../../ui/inputs.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Asks those on board for another time or price; only where somebody has joined and the day has not begun. */
export function ProposeChange({ ride }: { ride: Ride }) {
  const { t } = useTranslation('rides');
  const [open, setOpen] = useState(false);
  const may = ride.mine && ride.edit === 'details' && (ride.state === 'matching' || ride.state === 'full');
  if (!may || ride.change !== null) return null;
  return (
    <>
      <Button tone="quiet" full icon={<CalendarClock aria-hidden />} onClick={() => setOpen(true)}>
        {t('change.propose')}
      </Button>
      {/* Made anew each time, so that it starts from what stands now. */}
      {open && <ProposalDialog ride={ride} onClose={() => setOpen(false)} />}
    </>
  );
}

type Problems = Partial<Record<'departsAt' | 'costCents', string>>;

function ProposalDialog({ ride, onClose }: { ride: Ride; onClose: () => void }) {
  const { t } = useTranslation(['rides', 'common']);
  const [local, setLocal] = useState(localOf(ride.departsAt, ride.timeZone));
  const [costCents, setCostCents] = useState(ride.costCents);
  const [note, setNote] = useState('');
  const [problems, setProblems] = useState<Problems>({});
  // An untouched time stays to the second.
  const at =
    local === localOf(ride.departsAt, ride.timeZone) ? ride.departsAt : instantOf(local, ride.timeZone);
  const proposing = useAction(proposeChange, {
    invalidates: ['/order/'],
    onDone: () => {
      onClose();
      toast.done(t('rides:change.proposed'));
    },
    onRefused: (refused) => {
      if (refused.code === 409) void invalidate('/order/');
      const field = 'costCents' in refused.fields ? 'costCents' : 'departsAt';
      if (refused.code !== 422) return false;
      setProblems({ [field]: errorWords(refused) });
      return true;
    },
  });
  const submit = () => {
    if (at === null) setProblems({ departsAt: fieldWords('Please select a date and time.') });
    else proposing.run({ id: ride.id, departsAt: at, costCents, note });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('rides:change.propose')}
      description={t('rides:change.proposeText')}
      closeLabel={t('common:close')}
      action={
        <Button full busy={proposing.busy} onClick={submit}>
          {t('rides:change.send')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label={t('rides:change.time')} error={problems.departsAt}>
          <DateTimeField
            value={local}
            onChange={(value) => {
              setLocal(value);
              setProblems({});
            }}
            required
            min={localOf(now(), ride.timeZone)}
            zone={zoneName(at ?? ride.departsAt, ride.timeZone)}
          />
        </Field>
        {(ride.costCents > 0 || ride.vehicle !== null) && (
          <Field
            label={t(ride.priceKind === 'perCar' ? 'rides:price.perCarLine' : 'rides:price.perPersonLine')}
            hint={t('rides:change.priceHint')}
            error={problems.costCents}
          >
            <MoneyField
              cents={costCents}
              onChange={(cents) => {
                setCostCents(cents ?? 0);
                setProblems({});
              }}
            />
          </Field>
        )}
        <Field label={t('rides:change.note')} note={t('common:optional')}>
          <TextArea
            rows={2}
            maxLength={noteLength}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </Field>
      </div>
    </Dialog>
  );
}
