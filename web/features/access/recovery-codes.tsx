import { LifeBuoy } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { renewRecoveryCodes } from '#contract/access/second-factor.ts';
import { copyText } from '../../core/copy.ts';
import { useAction } from '../../core/queries.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { List, ListRow, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

const addressLivesMs = 60_000;

/** Shows how many recovery codes are left, and makes new ones. */
export function RecoveryCodes({ left, onFresh }: { left: number; onFresh: (codes: string[]) => void }) {
  const { t } = useTranslation(['security', 'common']);
  const [asking, setAsking] = useState(false);
  const renew = useAction(renewRecoveryCodes, {
    invalidates: ['/access/'],
    onDone: ({ recoveryCodes }) => {
      setAsking(false);
      onFresh(recoveryCodes);
    },
  });
  return (
    <Section title={t('security:recovery.title')}>
      <List>
        <ListRow
          leading={<LifeBuoy aria-hidden className="text-ink-2" />}
          title={t('security:recovery.left', { count: left })}
          trailing={<TextButton onClick={() => setAsking(true)}>{t('security:recovery.renew')}</TextButton>}
        />
      </List>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('security:recovery.renewTitle')}
        text={t('security:recovery.renewText')}
        confirmLabel={t('security:recovery.renew')}
        cancelLabel={t('common:cancel')}
        tone="brand"
        busy={renew.busy}
        onConfirm={() => renew.run({})}
      />
    </Section>
  );
}

/** Shows new codes once. */
export function FreshCodes({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  const { t } = useTranslation(['security', 'common']);
  const text = `${codes.join('\n')}\n`;
  const copy = async () => {
    if (await copyText(text)) toast.done(t('security:recovery.copied'));
  };
  const download = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    link.download = t('security:recovery.fileName');
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), addressLivesMs);
  };
  return (
    <Dialog
      open={codes.length > 0}
      onOpenChange={(open) => !open && onSaved()}
      title={t('security:recovery.shownTitle')}
      description={t('security:recovery.shownText')}
      closeLabel={t('common:close')}
      action={
        <Button full onClick={onSaved}>
          {t('security:recovery.saved')}
        </Button>
      }
    >
      <ul
        aria-label={t('security:recovery.title')}
        className="figures grid gap-y-1 rounded-control bg-ink/5 px-2 py-4 text-center font-mono text-body"
      >
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="mt-3 flex gap-2">
        <Button tone="quiet" small full onClick={() => void copy()}>
          {t('security:recovery.copy')}
        </Button>
        <Button tone="quiet" small full onClick={download}>
          {t('security:recovery.download')}
        </Button>
      </div>
    </Dialog>
  );
}
