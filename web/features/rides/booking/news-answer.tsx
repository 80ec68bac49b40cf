import { useTranslation } from 'react-i18next';
import type { NewsLine } from '#contract/notifications/endpoints.ts';
import { AskAnswer } from '../../../domain/booking/ask-answer.tsx';
import { InvitationAnswer } from '../../../domain/booking/invitation-answer.tsx';
import { ChangeAnswer } from '../change/change-card.tsx';
import { shortName } from '../../../domain/person/short-name.ts';

/**
 * The answer to an ask, an invitation or a proposed change, in the line of its notification; afterwards what
 * was answered.
 */
export function NewsAnswer({ line: { answer, departsAt } }: { line: NewsLine }) {
  const { t } = useTranslation('rides');
  if (answer === null) return null;
  if (answer.state !== 'open')
    return <p className="text-small font-semibold text-ink-2">{t(`newsAnswer.${answer.state}`)}</p>;
  if (answer.to === 'ask') return <AskAnswer bookingId={answer.id} name={shortName(answer.name)} />;
  if (answer.to === 'change') return <ChangeAnswer changeId={answer.id} />;
  return <InvitationAnswer bookingId={answer.id} holdCents={answer.holdCents} departsAt={departsAt ?? ''} />;
}
