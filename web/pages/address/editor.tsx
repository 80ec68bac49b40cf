import { useEffect } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { listAddresses, shortcutLabels } from '#contract/geo/endpoints.ts';
import { useGoBack, usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { ShortcutForm } from '../../features/geo/shortcut-form.tsx';
import { beginShortcut, readShortcutDraft, useShortcutDraft } from '../../features/geo/shortcut-draft.ts';
import { PlaceDialog, useChoosePlace } from './place-dialog.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
import { MapPinOff } from 'lucide-react';

export function Page() {
  const { t } = useTranslation('geo');
  const title = usePageTitle();
  const navigate = useNavigate();
  const goBack = useGoBack();
  const choose = useChoosePlace();
  const [draft, change] = useShortcutDraft();
  const { id, label: asked, new: isNew } = usePageSearch('/pages/address/editor');
  const addresses = useCall(listAddresses, {}, { quiet: true });
  const kept = addresses.data?.shortcuts.find((shortcut) => shortcut.id === id);
  const label = shortcutLabels.find((each) => each === asked);
  const fresh = isNew !== undefined || label !== undefined;

  // The address says what to begin with; after choosing a place the same draft goes on.
  useEffect(() => {
    if (id !== undefined) {
      if (kept && readShortcutDraft().id !== kept.id) beginShortcut(kept);
    } else if (fresh) {
      beginShortcut({ label: label ?? 'labeled' });
      void navigate({ to: '/pages/address/editor', replace: true });
    }
  }, [id, kept, fresh, label, navigate]);

  if (id !== undefined && !kept) {
    return (
      <PageLayout title={title} back>
        <QueryView query={addresses} skeleton={{ rows: 2 }}>
          {() => <EmptyState icon={<MapPinOff />} title={t('editor.missing')} />}
        </QueryView>
      </PageLayout>
    );
  }
  return (
    <>
      <ShortcutForm onChoose={() => choose('place')} onDone={goBack} />
      <PlaceDialog place={draft.place} onChosen={(place) => change({ place })} />
    </>
  );
}
