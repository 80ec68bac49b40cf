import { useNavigate } from '@tanstack/react-router';
import { MapPin } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import {
  createEvent,
  eventDescriptionLength,
  eventNameLength,
  updateEvent,
  type Event,
} from '#contract/events/endpoints.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useAction } from '../../core/queries.ts';
import { clearEventDraft, useEventDraft } from '../../features/events/event-draft.ts';
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
  if (id === undefined) return <EventForm event={null} />;
  return <WithEvent>{(event) => <EventForm event={event} />}</WithEvent>;
}

type EventFormData = ReturnType<typeof useEventForm>;

/**
 * What is typed, what the server found wrong with it, and sending it: as a new event, or as a change of one.
 */
function useEventForm(event: Event | null) {
  const { t } = useTranslation('events');
  const navigate = useNavigate();
  const [draft, change] = useEventDraft();
  const done = ({ id }: Event) => {
    clearEventDraft();
    toast.done(t(event === null ? 'edit.created' : 'edit.saved'));
    void navigate({ to: '/pages/events/events', search: { id }, replace: true });
  };
  // The fields say it themselves; what has no field is shown as a toast.
  const onRefused = ({ fields }: { fields: Record<string, string> }) => Object.keys(fields).length > 0;
  const create = useAction(createEvent, { invalidates: ['/event/'], onDone: done, onRefused });
  const save = useAction(updateEvent, { invalidates: ['/event/'], onDone: done, onRefused });
  const action = event === null ? create : save;
  const set: typeof change = (part) => {
    change(part);
    action.reset();
  };
  const send = () => {
    const { name, description, starts, ends, visibility, expectedPeople, picture } = draft;
    const place = draft.place ?? { name: '', detail: '', lon: 0, lat: 0 };
    const input = {
      name,
      description,
      place,
      starts,
      ends,
      visibility,
      expectedPeople,
      ...(picture === undefined ? {} : { picture: picture?.id ?? null }),
    };
    if (event === null) create.run(input);
    else save.run({ ...input, id: event.id });
  };
  const address = draft.picture === undefined ? (event?.picture ?? '') : (draft.picture?.url ?? '');
  return { draft, set, fields: action.fields, address, busy: action.busy, send };
}

function EventForm({ event }: { event: Event | null }) {
  const { t } = useTranslation('events');
  const title = usePageTitle();
  const form = useEventForm(event);
  const { draft, set } = form;
  return (
    <PageLayout
      title={title}
      back
      action={
        <Button full busy={form.busy} onClick={form.send}>
          {t(event === null ? 'edit.createNow' : 'edit.saveNow')}
        </Button>
      }
    >
      <MainFields form={form} />
      <OptionalFields form={form} />
      <Card>
        <RadioList
          label={t('edit.visibility')}
          value={draft.visibility}
          options={[
            { value: 'public', label: t('edit.public'), detail: t('edit.publicDetail') },
            { value: 'link', label: t('edit.link'), detail: t('edit.linkDetail') },
          ]}
          onChange={(visibility) => set({ visibility })}
        />
      </Card>
    </PageLayout>
  );
}

/** What the event is called, where it is and when. */
function MainFields({ form: { draft, set, fields } }: { form: EventFormData }) {
  const { t } = useTranslation('events');
  const choose = useChoosePlace();
  const placeError = fields['place'] ?? fields['place.name'];
  return (
    <Card className="flex flex-col gap-4">
      <Field label={t('edit.name')} error={fields['name']}>
        <TextInput
          value={draft.name}
          maxLength={eventNameLength}
          placeholder={t('edit.namePlaceholder')}
          onChange={({ target }) => set({ name: target.value })}
        />
      </Field>
      <Field
        label={t('edit.place')}
        error={placeError === undefined ? undefined : placeError || t('edit.missingPlace')}
      >
        <PickerRow
          value={draft.place?.name ?? ''}
          placeholder={t('edit.placePlaceholder')}
          icon={<MapPin aria-hidden className="size-5 shrink-0 text-ink-2" />}
          onClick={() => choose('place')}
        />
      </Field>
      <Field label={t('edit.starts')} hint={t('edit.zoneHint')} error={fields['starts']}>
        <TextInput
          type="datetime-local"
          step={300}
          value={draft.starts}
          onChange={({ target }) => set({ starts: target.value })}
        />
      </Field>
      <Field label={t('edit.ends')} error={fields['ends']}>
        <TextInput
          type="datetime-local"
          step={300}
          value={draft.ends}
          onChange={({ target }) => set({ ends: target.value })}
        />
      </Field>
      <PlaceDialog place={draft.place} onChosen={(place) => set({ place })} />
    </Card>
  );
}

/** What an event may do without: a description, how many are expected, a picture. */
function OptionalFields({ form: { draft, set, fields, address } }: { form: EventFormData }) {
  const { t } = useTranslation(['events', 'common']);
  return (
    <Card className="flex flex-col gap-4">
      <Field label={t('events:edit.description')} note={t('common:optional')} error={fields['description']}>
        <TextArea
          value={draft.description}
          maxLength={eventDescriptionLength}
          onChange={({ target }) => set({ description: target.value })}
        />
      </Field>
      <Field label={t('events:edit.expected')} note={t('common:optional')} error={fields['expectedPeople']}>
        <TextInput
          inputMode="numeric"
          value={draft.expectedPeople ?? ''}
          onChange={({ target }) => {
            const digits = target.value.replaceAll(/\D/g, '').slice(0, 7);
            set({ expectedPeople: digits === '' ? null : Number(digits) });
          }}
        />
      </Field>
      <Field label={t('events:edit.picture')} note={t('common:optional')} error={fields['picture']}>
        <PictureField
          purpose="event"
          address={address}
          words={{
            choose: t('events:edit.choosePicture'),
            other: t('events:edit.otherPicture'),
            remove: t('events:edit.removePicture'),
            sending: t('events:edit.sendingPicture'),
          }}
          onPicture={(picture) => set({ picture })}
        />
      </Field>
    </Card>
  );
}
