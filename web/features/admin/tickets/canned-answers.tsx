import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mostCannedAnswers, type CannedAnswer } from '#contract/tickets/endpoints.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { AnswerForm } from './answer-form.tsx';
import { AnswerList } from './answer-list.tsx';

/** The answers that the team keeps: listed, and one of them, or a new one, in its form. */
export function CannedAnswers({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['admin', 'common']);
  const [edited, setEdited] = useState<CannedAnswer | 'new' | null>(null);
  if (edited !== null)
    return <AnswerForm answer={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('admin:tickets.canned.title')}
      description={t('admin:tickets.canned.text', { count: mostCannedAnswers })}
      closeLabel={t('common:close')}
      action={
        <Button full onClick={() => setEdited('new')}>
          {t('admin:tickets.canned.add')}
        </Button>
      }
    >
      <AnswerList onChoose={setEdited} />
    </Dialog>
  );
}
