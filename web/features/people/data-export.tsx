import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportData } from '#contract/privacy/endpoints.ts';
import { call } from '../../core/api.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

const addressLivesMs = 60_000;

/** Everything that is kept about me, as one archive to download. */
export function DataExport() {
  const { t } = useTranslation('settings');
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const { fileName, zipBase64 } = await call(exportData, {});
      const bytes = Uint8Array.from(atob(zipBase64), (letter) => letter.charCodeAt(0));
      const address = URL.createObjectURL(new Blob([bytes], { type: 'application/zip' }));
      const link = document.createElement('a');
      link.href = address;
      link.download = fileName;
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), addressLivesMs);
      toast.done(t('export.done', { fileName }));
    } catch {
      // Already shown as a toast.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section title={t('export.title')}>
      <p className="text-body text-ink-2">{t('export.text')}</p>
      <Button
        tone="quiet"
        full
        busy={busy}
        icon={<Download aria-hidden className="size-5" />}
        onClick={() => void download()}
      >
        {t('export.action')}
      </Button>
    </Section>
  );
}
