import { useTranslation } from 'react-i18next';
import { copyText } from '../../../core/copy.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { toast } from '../../../ui/toasts.tsx';

/** Shows a new secret once. Shows nothing if it is empty. */
export function ShownSecret({
  secret,
  title,
  text,
  onSaved,
}: {
  secret: string;
  title: string;
  text: string;
  onSaved: () => void;
}) {
  const { t } = useTranslation(['connect', 'common']);
  const copy = async () => {
    if (await copyText(secret)) toast.done(t('connect:copied'));
  };
  return (
    <Dialog
      open={secret !== ''}
      onOpenChange={(open) => !open && onSaved()}
      title={title}
      description={text}
      closeLabel={t('common:close')}
      action={
        <Button full onClick={onSaved}>
          {t('connect:saved')}
        </Button>
      }
    >
      <p className="rounded-control bg-ink/5 p-4 font-mono text-body break-all select-all">{secret}</p>
      <div className="mt-3">
        <Button tone="quiet" small full onClick={() => void copy()}>
          {t('connect:copy')}
        </Button>
      </div>
    </Dialog>
  );
}
