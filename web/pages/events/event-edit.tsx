import { useNavigate } from '@tanstack/react-router';
import { MapPin } from 'lucide-react';
import { useState } from 'react';
import { Controller, useForm, useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import {
  createEvent,
  eventDescriptionLength,
  eventNameLength,
  updateEvent,
  type Event,
} from '#contract/events/endpoints.ts';
import { useSharedDraft } from '../../core/drafts.ts';
import type { Refused } from '../../core/errors.ts';
import { showFields } from '../../core/forms.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useAction } from '../../core/queries.ts';
import { eventDrafts, type EventDraft } from '../../features/events/event-draft.ts';
import { WithEvent } from '../../features/events/with-event.tsx';
import { PictureField } from '../../features/pictures/picture-field.tsx';
import { Button } from '../../ui/button.tsx';
import { RadioList } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { PickerRow, TextArea, TextInput } from '../../ui/inputs.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { PlaceDialog, useChoosePlace } from '../address/place-dialog.tsx';

/** Announcing an event, or changing one's own. */
export function Page() {
  const { id } = usePageSearch('/pages/events/edit');
  if (id === undefined) return <EventFormPage event={null} />;
  return <WithEvent>{(event) => <EventFormPage event={event} />}</WithEvent>;
}

/** The fields, what the server found wrong with them, and sending them: as a new event, or as a change. */
function useEventForm(event: Event | null) {
  const { t } = useTranslation('events');
  const navigate = useNavigate();
  const [defaultValues] = useState(eventDrafts.read);
  const form = useForm<EventDraft>({ defaultValues });
  useSharedDraft(form, eventDrafts, (kept, shown) => kept.of === shown.of);
  const done = ({ id }: Event) => {
    eventDrafts.drop();
    toast.done(t(event === null ? 'edit.created' : 'edit.saved'));
    void navigate({ to: '/pages/events/events', search: { id }, replace: true });
  };
  const onRefused = (refused: Refused) => showFields(refused, form.setError);
  const create = useAction(createEvent, { invalidates: ['/event/'], onDone: done, onRefused });
  const save = useAction(updateEvent, { invalidates: ['/event/'], onDone: done, onRefused });
  const send = form.handleSubmit(({ of: _event, place, picture, ...fields }) => {
    const input = {
      ...fields,
      place: place ?? { name: '', detail: '', lon: 0, lat: 0 },
      ...(picture === undefined ? {} : { picture: picture?.id ?? null }),
    };
    if (event === null) create.run(input);
    else save.run({ ...input, id: event.id });
  });
  return { form, busy: create.busy || save.busy, send };
}

type EventForm = UseFormReturn<EventDraft>;

/** The id of the form, for its button below the page. */
const formId = 'event-form';

function EventFormPage({ event }: { event: Event | null }) {
  const { t } = useTranslation('events');
  const title = usePageTitle();
  const { form, busy, send } = useEventForm(event);
  return (
    <PageLayout
      title={title}
      back
      action={
        <Button type="submit" form={formId} full busy={busy}>
          {t(event === null ? 'edit.createNow' : 'edit.saveNow')}
        </Button>
      }
    >
      <form id={formId} noValidate className="flex flex-col gap-4" onSubmit={(event) => void send(event)}>
        <MainFields form={form} />
        <OptionalFields form={form} kept={event?.picture ?? ''} />
        <Card>
          <Controller
            name="visibility"
            control={form.control}
            render={({ field: { value, onChange } }) => (
              <RadioList
                label={t('edit.visibility')}
                value={value}
                options={[
                  { value: 'public', label: t('edit.public'), detail: t('edit.publicDetail') },
                  { value: 'link', label: t('edit.link'), detail: t('edit.linkDetail') },
                ]}
                onChange={onChange}
              />
            )}
          />
        </Card>
      </form>
    </PageLayout>
  );
}

/** What the event is called, where it is and when. */
function MainFields({ form }: { form: EventForm }) {
  const { t } = useTranslation('events');
  const choose = useChoosePlace();
  const { register, control, setValue, clearErrors } = form;
  const { errors } = form.formState;
  const place = useWatch({ control, name: 'place' });
  // The server names the place's own fields where there is none.
  const placeError = errors.place && (errors.place.message ?? t('edit.missingPlace'));
  return (
    <Card className="flex flex-col gap-4">
      <Field label={t('edit.name')} error={errors.name?.message}>
        <TextInput
          maxLength={eventNameLength}
          placeholder={t('edit.namePlaceholder')}
          {...register('name')}
        />
      </Field>
      <Field label={t('edit.place')} error={placeError}>
        <PickerRow
          value={place?.name ?? ''}
          placeholder={t('edit.placePlaceholder')}
          icon={<MapPin aria-hidden className="size-5 shrink-0 text-ink-2" />}
          onClick={() => choose('place')}
        />
      </Field>
      <Field label={t('edit.starts')} hint={t('edit.zoneHint')} error={errors.starts?.message}>
        <TextInput type="datetime-local" step={300} {...register('starts')} />
      </Field>
      <Field label={t('edit.ends')} error={errors.ends?.message}>
        <TextInput type="datetime-local" step={300} {...register('ends')} />
      </Field>
      <PlaceDialog
        place={place}
        onChosen={(chosen) => {
          setValue('place', chosen, { shouldDirty: true });
          clearErrors('place');
        }}
      />
    </Card>
  );
}

/** What an event may do without: a description, how many are expected, a picture. */
function OptionalFields({
  form,
  kept,
}: {
  form: EventForm;
  /** The address of its picture. */ kept: string;
}) {
  const { t } = useTranslation(['events', 'common']);
  const { register, control } = form;
  const { errors } = form.formState;
  return (
    <Card className="flex flex-col gap-4">
      <Field
        label={t('events:edit.description')}
        note={t('common:optional')}
        error={errors.description?.message}
      >
        <TextArea maxLength={eventDescriptionLength} {...register('description')} />
      </Field>
      <Field
        label={t('events:edit.expected')}
        note={t('common:optional')}
        error={errors.expectedPeople?.message}
      >
        <Controller
          name="expectedPeople"
          control={control}
          render={({ field: { value, onChange, ref } }) => (
            <TextInput
              ref={ref}
              inputMode="numeric"
              value={value ?? ''}
              onChange={({ target }) => {
                const digits = target.value.replaceAll(/\D/g, '').slice(0, 7);
                onChange(digits === '' ? null : Number(digits));
              }}
            />
          )}
        />
      </Field>
      <Field label={t('events:edit.picture')} note={t('common:optional')} error={errors.picture?.message}>
        <Controller
          name="picture"
          control={control}
          render={({ field: { value, onChange } }) => (
            <PictureField
              purpose="event"
              address={value === undefined ? kept : (value?.url ?? '')}
              words={{
                choose: t('events:edit.choosePicture'),
                other: t('events:edit.otherPicture'),
                remove: t('events:edit.removePicture'),
                sending: t('events:edit.sendingPicture'),
              }}
              onPicture={onChange}
            />
          )}
        />
      </Field>
    </Card>
  );
}
