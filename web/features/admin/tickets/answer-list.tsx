import { MessageSquareText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { listCannedAnswers, type CannedAnswer } from '#contract/tickets/endpoints.ts';
import { useCall } from '../../../core/queries.ts';
import { QueryView } from '../../../core/query-view.tsx';
import { EmptyState, List, ListRow } from '../../../ui/surfaces.tsx';

/** The answers that the team keeps, to touch one. */
export function AnswerList({ onChoose }: { onChoose: (answer: CannedAnswer) => void }) {
  const { t } = useTranslation('admin');
  return (
    <QueryView
      query={useCall(listCannedAnswers, {}, { quiet: true })}
      skeleton={{ rows: 3 }}
      isEmpty={({ answers }) => answers.length === 0}
      empty={
        <EmptyState
          icon={<MessageSquareText />}
          title={t('tickets.canned.none')}
          text={t('tickets.canned.noneText')}
        />
      }
    >
      {({ answers }) => (
        <List label={t('tickets.canned.title')}>
          {answers.map((answer) => (
            <ListRow
              key={answer.id}
              title={answer.title}
              detail={<span className="line-clamp-2">{answer.text}</span>}
              trailing={t(`tickets.canned.languages.${answer.language}`)}
              onClick={() => onChoose(answer)}
            />
          ))}
        </List>
      )}
    </QueryView>
  );
}
