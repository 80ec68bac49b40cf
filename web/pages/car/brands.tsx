import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listBrands } from '#contract/vehicles/endpoints.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { keepVehicleDraft, readVehicleDraft } from '../../features/vehicles/draft.ts';
import { NamePicker } from '../../features/vehicles/name-picker.tsx';

const longest = 40;

/** Chooses the brand of the vehicle being edited; the model comes next. */
export function Page() {
  const { t } = useTranslation('vehicles');
  const { id = '', returnTo } = usePageSearch('/pages/car/brands');
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const found = useCall(
    listBrands,
    { text: typed.trim() },
    { keepPrevious: true, quiet: true, staleTime: Infinity },
  );
  const brand = readVehicleDraft(id)?.brand ?? '';
  return (
    <NamePicker
      title={usePageTitle()}
      searchLabel={t('picker.searchBrands')}
      listLabel={t('picker.brands')}
      chosen={brand}
      typed={typed}
      onTyped={(text) => setTyped(text.slice(0, longest))}
      read={{ ...found, data: found.data?.brands }}
      onPick={(name) => {
        keepVehicleDraft(id, name === brand ? {} : { brand: name, model: '' });
        // In this page's place, so that going back from there leads to the editor.
        void navigate({ to: '/pages/car/models', search: { id, returnTo }, replace: true });
      }}
    />
  );
}
