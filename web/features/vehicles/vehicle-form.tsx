import { useEffect } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import {
  createVehicle,
  updateVehicle,
  vehicleFields,
  vehicleTypes,
  type Vehicle,
} from '#contract/vehicles/endpoints.ts';
import { maxSeats } from '#contract/units.ts';
import { useFormDraft } from '../../core/drafts.ts';
import { inputResolver, showFields } from '../../core/forms.ts';
import { useAction } from '../../core/queries.ts';
import { Field } from '../../ui/field.tsx';
import { NumberStepper, PickerRow, Select, TextInput } from '../../ui/inputs.tsx';
import { ColorChoice } from './color-choice.tsx';
import { draftName, draftOf, keepVehicleDraft, vehicleForm } from './draft.ts';

/** A vehicle as it is typed, and saving it. */
function useVehicleForm({
  vehicle,
  onBusy,
  onSaved,
}: {
  vehicle: Vehicle | null;
  onBusy: (busy: boolean) => void;
  onSaved: () => void;
}) {
  const vehicleId = vehicle?.id ?? '';
  const form = useForm({
    resolver: inputResolver(vehicleForm),
    defaultValues: draftOf(vehicle),
  });
  const forgetDraft = useFormDraft(form, draftName(vehicleId));

  const options = {
    invalidates: ['/car/list'],
    onDone: () => {
      forgetDraft();
      onSaved();
    },
    onRefused: (refused: Parameters<typeof showFields>[0]) => showFields(refused, form.setError),
  };
  const create = useAction(createVehicle, options);
  const update = useAction(updateVehicle, options);
  const busy = create.busy || update.busy;
  useEffect(() => onBusy(busy), [busy, onBusy]);

  const submit = form.handleSubmit((values) => {
    const fields = vehicleFields.parse(values);
    if (vehicle === null) create.run(fields);
    else update.run({ ...fields, id: vehicle.id });
  });
  return { form, submit };
}

/** The form of one vehicle, or of a new one (null). `id` is the form's, for a save button outside of it. */
export function VehicleForm({
  id,
  vehicle,
  onBusy,
  onSaved,
  onPick,
}: {
  id: string;
  vehicle: Vehicle | null;
  onBusy: (busy: boolean) => void;
  onSaved: () => void;
  /** The person wants to choose a brand or a model; the draft waits until they are back. */
  onPick: (what: 'brands' | 'models') => void;
}) {
  const { t } = useTranslation('vehicles');
  const vehicleId = vehicle?.id ?? '';
  const { form, submit } = useVehicleForm({ vehicle, onBusy, onSaved });
  const pick = (what: 'brands' | 'models') => {
    keepVehicleDraft(vehicleId, form.getValues());
    onPick(what);
  };
  const { errors } = form.formState;
  const [brand, model] = useWatch({ control: form.control, name: ['brand', 'model'] });
  return (
    <form id={id} noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field label={t('editor.plate')} error={errors.plate?.message}>
        <TextInput
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={12}
          className="uppercase"
          {...form.register('plate')}
        />
      </Field>
      <Field label={t('editor.brand')} error={errors.brand?.message}>
        <PickerRow value={brand} placeholder={t('editor.brandPlaceholder')} onClick={() => pick('brands')} />
      </Field>
      <Field label={t('editor.model')} error={errors.model?.message}>
        <PickerRow
          value={model}
          placeholder={t('editor.modelPlaceholder')}
          onClick={() => pick(brand === '' ? 'brands' : 'models')}
        />
      </Field>
      <div className="flex gap-3 *:min-w-0 *:flex-1">
        <Field label={t('editor.type')} error={errors.type?.message}>
          <Select
            placeholder={t('editor.typePlaceholder')}
            options={vehicleTypes.map((value) => ({ value, label: t(`types.${value}`) }))}
            {...form.register('type')}
          />
        </Field>
        <Field label={t('editor.year')} error={errors.year?.message}>
          <TextInput inputMode="numeric" autoComplete="off" maxLength={4} {...form.register('year')} />
        </Field>
      </div>
      <Field label={t('editor.color')} error={errors.color?.message}>
        <Controller
          control={form.control}
          name="color"
          render={({ field }) => <ColorChoice value={field.value} onChange={field.onChange} />}
        />
      </Field>
      <SeatsField form={form} error={errors.seats?.message} />
    </form>
  );
}

function SeatsField({
  form,
  error,
}: {
  form: ReturnType<typeof useVehicleForm>['form'];
  error: string | undefined;
}) {
  const { t } = useTranslation('vehicles');
  return (
    <Field label={t('editor.seats')} hint={t('editor.seatsHint')} error={error}>
      <Controller
        control={form.control}
        name="seats"
        render={({ field }) => (
          <NumberStepper
            value={field.value}
            onChange={field.onChange}
            min={1}
            max={maxSeats}
            words={{ less: t('editor.fewer'), more: t('editor.more') }}
            shown={(seats) => t('list.seats', { count: seats })}
          />
        )}
      />
    </Field>
  );
}
