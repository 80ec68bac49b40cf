import { useTranslation } from 'react-i18next';
import type { CannedAnswer } from '#contract/tickets/endpoints.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { AnswerList } from './answer-list.tsx';

/** Chooses a canned answer, and puts it into the answer's field to be edited. */
export function PickAnswer({
  onPick,
  onClose,
}: {
  onPick: (answer: CannedAnswer) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(['admin', 'common']);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('admin:tickets.canned.title')}
      closeLabel={t('common:close')}
    >
      <AnswerList onChoose={onPick} />
    </Dialog>
  );
}
