import { useTranslation } from 'react-i18next';
import { answerApplication, deleteContact, type Application } from '#contract/contacts/endpoints.ts';
import { useAction } from '../../core/queries.ts';
import { toast } from '../../ui/toasts.tsx';

/** What I may do about an application: say yes or no to theirs, take back mine. */
export function useAnswer({ id, person }: Application) {
  const { t } = useTranslation('contacts');
  const { name } = person;
  const answer = useAction(answerApplication, {
    invalidates: ['/contact/'],
    onDone: ({ status }) =>
      status === 'accepted' ? toast.done(t('apply.becameContact', { name })) : toast.info(t('apply.denied')),
  });
  const remove = useAction(deleteContact, {
    invalidates: ['/contact/'],
    onDone: () => toast.info(t('apply.takenBack')),
  });
  return {
    busy: answer.busy || remove.busy,
    accept: () => answer.run({ id, status: 'accepted' }),
    deny: () => answer.run({ id, status: 'denied' }),
    takeBack: () => remove.run({ id: person.id }),
  };
}
