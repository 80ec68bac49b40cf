import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteVehicle, type Vehicle } from '#contract/vehicles/endpoints.ts';
import { useAction } from '../../core/queries.ts';
import { TextButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useVehicleWords } from './vehicle-name.ts';

/** Deletes a vehicle after asking once. */
export function DeleteVehicle({ vehicle, onDeleted }: { vehicle: Vehicle; onDeleted: () => void }) {
  const { t } = useTranslation(['vehicles', 'common']);
  const words = useVehicleWords();
  const [asking, setAsking] = useState(false);
  const remove = useAction(deleteVehicle, {
    invalidates: ['/car/list'],
    onDone: onDeleted,
    onRefused: () => {
      setAsking(false);
      return false;
    },
  });
  return (
    <>
      <TextButton tone="danger" className="self-center" onClick={() => setAsking(true)}>
        {t('vehicles:editor.delete')}
      </TextButton>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('vehicles:editor.deleteTitle')}
        text={t('vehicles:editor.deleteText', { vehicle: words.name(vehicle) })}
        confirmLabel={t('common:delete')}
        cancelLabel={t('common:cancel')}
        busy={remove.busy}
        onConfirm={() => remove.run({ id: vehicle.id })}
      />
    </>
  );
}
