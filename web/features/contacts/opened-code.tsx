import { QrCode } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { scanCode } from '#contract/contacts/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { errorWords } from '../../core/errors.ts';
import { forgetInvitation } from '../../core/invitation.ts';
import { useAction } from '../../core/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Banner, EmptyState } from '../../ui/surfaces.tsx';
import { ScanDone } from './scan-done.tsx';

/** A code that came with an opened link: the person is asked first, since a link can be opened by mistake. */
export function OpenedCode({ code }: { code: string }) {
  const { t } = useTranslation('contacts');
  useEffect(forgetInvitation, []);
  const [done, setDone] = useState<OutputOf<typeof scanCode> | null>(null);
  const scan = useAction(scanCode, {
    invalidates: ['/contact/'],
    onDone: setDone,
    onRefused: () => true,
  });
  if (done !== null) return <ScanDone result={done} />;
  return (
    <>
      <EmptyState
        icon={<QrCode />}
        title={t('scan.linkTitle')}
        text={t('scan.linkText')}
        action={
          <Button busy={scan.busy} onClick={() => scan.run({ code })}>
            {t('scan.linkYes')}
          </Button>
        }
      />
      {scan.error !== null && <Banner kind="danger">{errorWords(scan.error)}</Banner>}
    </>
  );
}
