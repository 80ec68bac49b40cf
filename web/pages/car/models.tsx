import { Link, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { CarFront } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listModels } from '#contract/vehicles/endpoints.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { keepVehicleDraft, readVehicleDraft } from '../../features/vehicles/draft.ts';
import { NamePicker } from '../../features/vehicles/name-picker.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

const longest = 60;

/** Chooses the model of the vehicle being edited, among those of its brand. */
export function Page() {
  const { t } = useTranslation('vehicles');
  const title = usePageTitle();
  const { id = '', returnTo } = usePageSearch('/pages/car/models');
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const draft = readVehicleDraft(id);
  const brand = draft?.brand ?? '';
  const found = useCall(
    listModels,
    { brand, text: typed.trim().slice(0, 40) },
    { keepPrevious: true, quiet: true, staleTime: Infinity, enabled: brand !== '' },
  );
  if (draft === null || brand === '') {
    return (
      <PageLayout title={title} back>
        <EmptyState
          icon={<CarFront />}
          title={t('picker.noBrand')}
          text={t('picker.noBrandText')}
          action={
            <Link
              to="/pages/car/brands"
              search={{ id, returnTo }}
              replace
              className={buttonVariants({ tone: 'quiet', small: true })}
            >
              {t('picker.toBrands')}
            </Link>
          }
        />
      </PageLayout>
    );
  }
  return (
    <NamePicker
      title={title}
      searchLabel={t('picker.searchModels', { brand })}
      listLabel={t('picker.models')}
      chosen={draft.model}
      typed={typed}
      onTyped={(text) => setTyped(text.slice(0, longest))}
      read={{ ...found, data: found.data?.models }}
      onPick={(model) => {
        keepVehicleDraft(id, { model });
        if (canGoBack) router.history.back();
        else void navigate({ to: '/pages/car/editor', search: { id, returnTo }, replace: true });
      }}
    />
  );
}
