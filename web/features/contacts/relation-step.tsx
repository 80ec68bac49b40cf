import { Link } from '@tanstack/react-router';
import { MessageSquareText, Phone, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Application, readContact } from '#contract/contacts/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { Banner, Card, Section } from '../../ui/surfaces.tsx';
import { ApplyDialog } from './apply-dialog.tsx';
import { UnblockButton } from './blocked-people.tsx';
import { Relation } from './relation.tsx';
import { useAnswer } from './use-answer.ts';
import type { Tag } from './with-contacts.tsx';

type Detail = OutputOf<typeof readContact>;

/** How the two of us stand to each other, and the one step that is open. */
export function RelationStep({ detail, tags }: { detail: Detail; tags: readonly Tag[] }) {
  const { t } = useTranslation('contacts');
  const [asking, setAsking] = useState(false);
  const { person, relation, contact, application, phone } = detail;
  if (relation === 'self') return null;
  if (relation === 'blocked') {
    return (
      <>
        <Banner kind="warn">{t('person.isBlocked', { name: person.name })}</Banner>
        <UnblockButton person={person} full />
      </>
    );
  }
  if (application !== null) return <Waiting application={application} />;
  if (contact === null) {
    return (
      <>
        <Button full icon={<UserPlus aria-hidden className="size-5" />} onClick={() => setAsking(true)}>
          {t('apply.addName', { name: person.name })}
        </Button>
        <ApplyDialog person={person} open={asking} onOpenChange={setAsking} />
      </>
    );
  }
  return (
    <>
      <Section title={t('person.reach')}>
        <Reach name={person.name} phone={phone} />
      </Section>
      <Section
        title={t('person.about')}
        action={
          <Link
            to="/pages/contact/edit"
            search={{ id: person.id }}
            className="inline-flex min-h-11 items-center font-semibold text-brand-ink underline-offset-4 hover:underline"
          >
            {t('person.details')}
          </Link>
        }
      >
        <Relation contact={contact} tags={tags} />
      </Section>
    </>
  );
}

function Reach({ name, phone }: { name: string; phone: string }) {
  const { t } = useTranslation('contacts');
  if (phone === '') {
    return (
      <Card>
        <p className="text-lead">{t('person.unable')}</p>
        <p className="text-small text-ink-3">{t('person.unableText', { name })}</p>
      </Card>
    );
  }
  const look = buttonVariants({ tone: 'quiet', small: true, full: true });
  return (
    <div className="flex gap-2">
      <a href={`tel:${phone}`} className={look} aria-label={t('person.callName', { name })}>
        <Phone aria-hidden className="size-5" />
        {t('person.call')}
      </a>
      <a href={`sms:${phone}`} className={look} aria-label={t('person.writeName', { name })}>
        <MessageSquareText aria-hidden className="size-5" />
        {t('person.write')}
      </a>
    </div>
  );
}

function Waiting({ application }: { application: Application }) {
  const { t } = useTranslation('contacts');
  const answer = useAnswer(application);
  const { person, message, direction } = application;
  const { name } = person;
  return (
    <Card className="flex flex-col gap-3">
      <p className="text-body">{t(direction === 'in' ? 'apply.theyAsk' : 'apply.waits', { name })}</p>
      {message !== '' && (
        <p dir="auto" className="rounded-control bg-page px-3 py-2 text-body break-words whitespace-pre-wrap">
          {message}
        </p>
      )}
      {direction === 'in' ? (
        <div className="flex gap-2">
          <Button full small tone="quiet" busy={answer.busy} onClick={answer.deny}>
            {t('apply.deny')}
          </Button>
          <Button full small tone="brand" busy={answer.busy} onClick={answer.accept}>
            {t('apply.accept')}
          </Button>
        </div>
      ) : (
        <Button full small tone="quiet" busy={answer.busy} onClick={answer.takeBack}>
          {t('apply.takeBack')}
        </Button>
      )}
    </Card>
  );
}
