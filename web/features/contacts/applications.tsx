import { Link } from '@tanstack/react-router';
import { Check, Clock, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Application } from '#contract/contacts/endpoints.ts';
import { useFormat } from '../../core/use-format.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { StateChip } from '../../ui/chips.tsx';
import { Avatar } from '../../ui/people.tsx';
import { List, Section } from '../../ui/surfaces.tsx';
import { useAnswer } from './use-answer.ts';

/** Who asks to become my contact, and whom I have asked. */
export function Applications({ applications }: { applications: readonly Application[] }) {
  const { t } = useTranslation('contacts');
  const groups = [
    ['in', t('apply.asksYou')],
    ['out', t('apply.youAsked')],
  ] as const;
  return groups.map(([direction, title]) => {
    const shown = applications.filter((each) => each.direction === direction);
    if (shown.length === 0) return null;
    return (
      <Section key={direction} title={title}>
        <List label={title}>
          {shown.map((each) => (
            <ApplicationRow key={each.id} application={each} />
          ))}
        </List>
      </Section>
    );
  });
}

function ApplicationRow({ application }: { application: Application }) {
  const { t } = useTranslation('contacts');
  const format = useFormat();
  const answer = useAnswer(application);
  const { person, message, origin, status, direction, at } = application;
  const { name } = person;
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex items-center gap-3">
        <Link
          to="/pages/contact/user"
          search={{ id: person.id }}
          className="flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-control"
        >
          <Avatar name={name} src={person.avatar} seed={person.id} />
          <span className="min-w-0">
            <span className="block text-lead break-words">{name}</span>
            <span className="block text-small text-ink-3">
              {t(`origins.${origin}`)} · {format.relative(at)}
            </span>
          </span>
        </Link>
        {direction === 'out' && <StatusChip status={status} />}
      </div>
      {message !== '' && (
        <p dir="auto" className="rounded-control bg-page px-3 py-2 text-body break-words whitespace-pre-wrap">
          {message}
        </p>
      )}
      {direction === 'in' && <YesOrNo name={name} answer={answer} />}
      {direction === 'out' && status === 'pending' && (
        <TextButton
          className="self-start"
          aria-label={t('apply.takeBackName', { name })}
          onClick={answer.takeBack}
        >
          {t('apply.takeBack')}
        </TextButton>
      )}
    </li>
  );
}

/** The state of my application. */
function StatusChip({ status }: Pick<Application, 'status'>) {
  const { t } = useTranslation('contacts');
  return (
    <StateChip
      tone={status === 'denied' ? 'danger' : status === 'accepted' ? 'brand' : 'neutral'}
      icon={
        status === 'denied' ? (
          <X aria-hidden />
        ) : status === 'accepted' ? (
          <Check aria-hidden />
        ) : (
          <Clock aria-hidden />
        )
      }
    >
      {t(`apply.status.${status}`)}
    </StateChip>
  );
}

/** My answer to who asks me. */
function YesOrNo({ name, answer }: { name: string; answer: ReturnType<typeof useAnswer> }) {
  const { t } = useTranslation('contacts');
  return (
    <div className="flex gap-2">
      <Button
        small
        full
        tone="quiet"
        busy={answer.busy}
        aria-label={t('apply.denyName', { name })}
        onClick={answer.deny}
      >
        {t('apply.deny')}
      </Button>
      <Button
        small
        full
        tone="brand"
        busy={answer.busy}
        aria-label={t('apply.acceptName', { name })}
        onClick={answer.accept}
      >
        {t('apply.accept')}
      </Button>
    </div>
  );
}
