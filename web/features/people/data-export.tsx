import { Download } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fileSize } from '#contract/formats/file-size.ts';
import { exportData, readExport, startExport, type ExportState } from '#contract/privacy/export.ts';
import { call } from '../../core/api.ts';
import { keyOf, useAction, useCall } from '../../core/queries.ts';
import { invalidate, queryClient } from '../../core/query-client.ts';
import { PartView } from '../../core/query-view.tsx';
import { useFormat } from '../../core/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/surfaces.tsx';

const readEveryMs = 5_000;

/** All data about me, as one archive: the server makes it, and then it can be downloaded. */
export function DataExport() {
  const { t } = useTranslation('settings');
  // The server tells when it is ready; without a live connection it is asked.
  const isPreparing = queryClient.getQueryData<ExportState>(keyOf(readExport, {}))?.state === 'preparing';
  const asks = isPreparing ? { refetchInterval: readEveryMs } : {};
  const made = useCall(readExport, {}, { quiet: true, ...asks });
  return (
    <Section title={t('export.title')}>
      <p className="text-body text-ink-2">{t('export.text')}</p>
      <PartView query={made} failed={t('export.unread')}>
        {(state) => <Archive made={state} />}
      </PartView>
    </Section>
  );
}

function Archive({ made: { state, askedAt, expiresAt, bytes } }: { made: ExportState }) {
  const { t } = useTranslation('settings');
  const { longDate, language } = useFormat();
  // Most archives are made in a second or two: who waits for one on this page gets the file by itself.
  const [awaited, setAwaited] = useState<string | null>(null);
  const start = useAction(startExport, {
    // It may be ready before this answer is here.
    invalidates: [readExport.path],
    onDone: (started) => {
      queryClient.setQueryData(keyOf(readExport, {}), started);
      setAwaited(started.askedAt);
    },
  });
  const { busy, download } = useDownload();
  useEffect(() => {
    if (state === 'ready' && askedAt === awaited) void download();
  }, [state, askedAt, awaited, download]);

  const startButton = (label: string) => (
    <Button tone="quiet" full busy={start.busy} onClick={() => start.run({})}>
      {label}
    </Button>
  );
  return (
    <>
      <output className="block text-body text-ink-2 empty:hidden">
        {state === 'preparing' && t('export.preparing')}
        {state === 'failed' && t('export.failed')}
        {state === 'ready' &&
          t('export.ready', { size: fileSize(bytes, language), day: longDate(expiresAt ?? '') })}
      </output>
      {state === 'preparing' && (
        <Button tone="quiet" full busy>
          {t('export.action')}
        </Button>
      )}
      {state === 'none' && startButton(t('export.action'))}
      {state === 'failed' && startButton(t('export.again'))}
      {state === 'ready' && (
        <>
          <Button
            tone="quiet"
            full
            busy={busy}
            icon={<Download aria-hidden className="size-5" />}
            onClick={() => void download()}
          >
            {t('export.action')}
          </Button>
          {startButton(t('export.anew'))}
        </>
      )}
    </>
  );
}

/** Lets the browser download the file, which may be large. */
function useDownload() {
  const [busy, setBusy] = useState(false);
  const download = useCallback(async () => {
    setBusy(true);
    try {
      const { address, fileName } = await call(exportData, {});
      const link = document.createElement('a');
      link.href = address;
      link.download = fileName;
      link.click();
    } catch {
      // Already shown as a toast. It may be over meanwhile.
      await invalidate(readExport.path);
    } finally {
      setBusy(false);
    }
  }, []);
  return { busy, download };
}
