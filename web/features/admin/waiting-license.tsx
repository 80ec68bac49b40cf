import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveVerdict, type WaitingLicence } from '#contract/licenses/endpoints.ts';
import { reasonLength } from '#contract/units.ts';
import { useTextDraft } from '../../core/drafts.ts';
import { invalidate } from '../../core/query-client.ts';
import { useAction } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { Avatar } from '../../ui/people.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { legalNameOf } from './legal-name.ts';
import { ZoomViewer } from './zoom-viewer.tsx';

const sides = ['front', 'back'] as const;
const quick = ['dark', 'blurred', 'cut', 'name', 'expired'] as const;

type Side = (typeof sides)[number];

/**
 * The answer to a driver who sent photos: which of the two is asked for, the reason of a denial, and sending
 * it.
 */
function useVerdict({ id, person }: WaitingLicence) {
  const { t } = useTranslation(['admin', 'reasons']);
  const [asking, setAsking] = useState<'accept' | 'deny' | null>(null);
  const [reason, setReason, forgetDraft] = useTextDraft(`denyLicence.${id}`);
  const [error, setError] = useState<string>();
  const decide = useAction(saveVerdict, {
    invalidates: ['/user/', '/admin/'],
    onDone: (_, { status }) => {
      forgetDraft();
      setAsking(null);
      toast.done(
        t(status === 'Accepted' ? 'admin:licenses.accepted' : 'admin:licenses.denied', { name: person.name }),
      );
    },
    onRefused: (refused) => {
      if (refused.reason === 'license.reasonMissing') {
        setError(t('reasons:license.reasonMissing'));
        return true;
      }
      // Another admin was faster: the queue shows its current state.
      setAsking(null);
      void invalidate('/user/', '/admin/');
      return false;
    },
  });
  const deny = () => {
    if (reason.trim() === '') setError(t('reasons:license.reasonMissing'));
    else decide.run({ id, status: 'Reject', result: reason });
  };
  return {
    asking,
    setAsking,
    reason,
    write: (next: Parameters<typeof setReason>[0]) => {
      setReason(next);
      setError(undefined);
    },
    error,
    busy: decide.busy,
    accept: () => decide.run({ id, status: 'Accepted', result: '' }),
    deny,
  };
}

/** The photos of one driver, with what they wrote of themselves, and the two answers. */
export function WaitingLicenseCard({ license }: { license: WaitingLicence }) {
  const { t } = useTranslation(['admin', 'common']);
  const { name } = license.person;
  const [zoomed, setZoomed] = useState<Side | null>(null);
  const verdict = useVerdict(license);
  const { asking, setAsking } = verdict;
  const legalName = legalNameOf(license);
  return (
    <Card className="flex flex-col gap-4">
      <Sender license={license} />
      <p className="text-body">
        <span className="block text-small text-ink-3">{t('admin:licenses.legalName')}</span>
        {legalName === '' ? t('admin:licenses.noLegalName') : legalName}
      </p>
      <Photos license={license} onZoom={setZoomed} />
      {license.earlier.length > 0 && <EarlierVerdicts license={license} />}
      <div className="grid grid-cols-2 gap-3">
        <Button tone="quiet" onClick={() => setAsking('deny')}>
          {t('admin:licenses.deny')}
        </Button>
        <Button tone="brand" onClick={() => setAsking('accept')}>
          {t('admin:licenses.accept')}
        </Button>
      </div>
      <Confirm
        open={asking === 'accept'}
        onOpenChange={(open) => setAsking(open ? 'accept' : null)}
        title={t('admin:licenses.acceptTitle')}
        text={t('admin:licenses.acceptText', { name })}
        confirmLabel={t('admin:licenses.accept')}
        cancelLabel={t('common:cancel')}
        tone="brand"
        busy={verdict.busy}
        onConfirm={verdict.accept}
      />
      <Confirm
        open={asking === 'deny'}
        onOpenChange={(open) => setAsking(open ? 'deny' : null)}
        title={t('admin:licenses.denyTitle')}
        text={t('admin:licenses.denyText', { name })}
        confirmLabel={t('admin:licenses.deny')}
        cancelLabel={t('common:cancel')}
        busy={verdict.busy}
        onConfirm={verdict.deny}
      >
        <DenialReason verdict={verdict} />
      </Confirm>
      <ZoomViewer
        key={zoomed}
        address={zoomed === null ? null : license[zoomed]}
        title={zoomed === null ? name : `${name} · ${t(`admin:licenses.${zoomed}`)}`}
        onClose={() => setZoomed(null)}
      />
    </Card>
  );
}

function Sender({ license: { person, email, sentAt } }: { license: WaitingLicence }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { name } = person;
  return (
    <div className="flex items-center gap-3">
      <Avatar name={name} src={person.avatar} seed={person.id} size={48} />
      <div className="min-w-0 flex-1">
        <h2 className="text-lead break-words">{name}</h2>
        <p className="text-small break-all text-ink-3">{email}</p>
        <time dateTime={sentAt} className="text-small text-ink-3">
          {t('licenses.sent', { when: format.relative(sentAt) })}
        </time>
      </div>
    </div>
  );
}

/** Both sides of the license; a touch enlarges one. */
function Photos({ license, onZoom }: { license: WaitingLicence; onZoom: (side: Side) => void }) {
  const { t } = useTranslation('admin');
  return (
    <ul className="grid gap-3 lg:grid-cols-2">
      {sides.map((side) => {
        const address = license[side];
        return (
          <li key={side} className="flex flex-col gap-1">
            <span className="text-small text-ink-3">{t(`licenses.${side}`)}</span>
            {address === null ? (
              <span className="grid aspect-[1.6] place-items-center rounded-small bg-page text-small text-ink-3">
                {t('licenses.noPhoto')}
              </span>
            ) : (
              <button
                type="button"
                onClick={() => onZoom(side)}
                aria-label={t('licenses.zoom', { side: t(`licenses.${side}`) })}
                className="cursor-zoom-in overflow-hidden rounded-small bg-page"
              >
                <img src={address} alt="" className="aspect-[1.6] w-full object-contain" />
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** What was answered to photos that this person sent before. */
function EarlierVerdicts({ license }: { license: WaitingLicence }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  return (
    <div className="text-small text-ink-2">
      <h3 className="font-semibold">{t('licenses.earlier')}</h3>
      <ul>
        {license.earlier.map((each) => (
          <li key={each.id} className="break-words">
            {each.decidedAt !== null && `${format.relative(each.decidedAt)}: `}
            {each.status}
            {each.result !== '' && ` – ${each.result}`}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Why the photos are denied: typed, or put together from sentences that are often needed. */
function DenialReason({ verdict: { reason, write, error } }: { verdict: ReturnType<typeof useVerdict> }) {
  const { t } = useTranslation('admin');
  return (
    <>
      <Field label={t('licenses.reason')} error={error}>
        <TextArea value={reason} maxLength={reasonLength} onChange={(event) => write(event.target.value)} />
      </Field>
      <fieldset aria-label={t('licenses.quick')} className="flex flex-wrap gap-2">
        {quick.map((word) => {
          const sentence = t(`licenses.quickReasons.${word}`);
          return (
            <button
              key={word}
              type="button"
              className="min-h-11 rounded-full px-3 text-left text-small ring-1 ring-line-2 ring-inset hover:bg-page"
              onClick={() => write((typed) => (typed === '' ? sentence : `${typed}\n${sentence}`))}
            >
              {sentence}
            </button>
          );
        })}
      </fieldset>
    </>
  );
}
