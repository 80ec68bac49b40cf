import { CalendarDays, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { eventDetail } from '#contract/events/endpoints.ts';
import { noteLength } from '#contract/units.ts';
import { useCall } from '../../core/queries.ts';
import { useSession } from '../../core/use-session.ts';
import { useFormat } from '../../core/use-format.ts';
import { IconButton } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea, TextInput } from '../../ui/inputs.tsx';
import { FormPart } from './form-part.tsx';
import { touchesAirport } from './order-input.ts';
import { usePlanContext } from './use-plan.ts';

/** What drivers and passengers alike may add: flight, event, note, how to be reached. */
export function MorePart() {
  const { t } = useTranslation(['planning', 'common']);
  const { user } = useSession();
  const { kind, values, errorOf, set } = usePlanContext();
  return (
    <FormPart title={t('planning:part.more')}>
      {values.eventId !== null && (
        <EventRow id={values.eventId} error={errorOf('eventId')} onRemove={() => set('eventId', null)} />
      )}
      {touchesAirport(values) && (
        <div id="field-flightNumber">
          <Field
            label={t('planning:more.flight')}
            note={t('common:optional')}
            hint={t('planning:more.flightHint')}
            error={errorOf('flightNumber')}
          >
            <TextInput
              value={values.flightNumber}
              maxLength={12}
              autoCapitalize="characters"
              autoComplete="off"
              placeholder="UA 1234"
              onChange={({ target }) => set('flightNumber', target.value.toUpperCase())}
            />
          </Field>
        </div>
      )}
      <div id="field-note">
        <Field
          label={t('planning:more.note')}
          note={t('common:optional')}
          hint={t(kind.side === 'driver' ? 'planning:more.noteDriver' : 'planning:more.notePassenger')}
          error={errorOf('note')}
        >
          <TextArea
            rows={2}
            value={values.note}
            maxLength={noteLength}
            onChange={({ target }) => set('note', target.value)}
          />
        </Field>
      </div>
      <div id="field-contactWith">
        <Field label={t('planning:more.contactWith')} error={errorOf('contactWith')}>
          <SegmentedControl
            label={t('planning:more.contactWith')}
            value={values.contactWith ?? user.preferContactWith}
            options={[
              { value: 'phone', label: t('planning:more.phone') },
              { value: 'email', label: t('planning:more.email') },
              { value: 'chat', label: t('planning:more.chat') },
            ]}
            onChange={(contactWith) => set('contactWith', contactWith)}
          />
        </Field>
      </div>
    </FormPart>
  );
}

function EventRow({ id, error, onRemove }: { id: string; error: string | undefined; onRemove: () => void }) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const { data: event } = useCall(eventDetail, { id }, { quiet: true });
  return (
    <div id="field-eventId">
      <Field label={t('more.event')} labelHidden error={error}>
        <div className="flex items-center gap-3">
          <CalendarDays aria-hidden className="shrink-0 text-ink-2" />
          <span className="min-w-0 flex-1">
            <span className="block truncate text-lead">{event?.name ?? t('more.event')}</span>
            {event && (
              <span className="figures block text-small text-ink-3">
                {format.when(event.startsAt, event.timeZone)}
              </span>
            )}
          </span>
          <IconButton label={t('more.removeEvent')} icon={<X aria-hidden />} onClick={onRemove} />
        </div>
      </Field>
    </div>
  );
}
