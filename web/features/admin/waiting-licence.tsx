import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveVerdict, type WaitingLicence } from '#contract/licences/endpoints.ts';
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

/** The photos of one driver, beside what they wrote of themselves, and the two answers. */
export function WaitingLicenceCard({ licence }: { licence: WaitingLicence }) {
  const { t } = useTranslation(['admin', 'common', 'reasons']);
  const format = useFormat();
  const { id, person, email } = licence;
  const { name } = person;
  const [asking, setAsking] = useState<'accept' | 'deny' | null>(null);
  const [reason, setReason, forgetDraft] = useTextDraft(`denyLicence.${id}`);
  const [error, setError] = useState<string>();
  const [zoomed, setZoomed] = useState<(typeof sides)[number] | null>(null);
  const decide = useAction(saveVerdict, {
    invalidates: ['/user/', '/admin/'],
    onDone: (_, { status }) => {
      forgetDraft();
      setAsking(null);
      toast.done(t(status === 'Accepted' ? 'admin:licenses.accepted' : 'admin:licenses.denied', { name }));
    },
    onRefused: (refused) => {
      if (refused.reason === 'licence.reasonMissing') {
        setError(t('reasons:licence.reasonMissing'));
        return true;
      }
      // Another admin was faster: the queue shows how it stands now.
      setAsking(null);
      void invalidate('/user/', '/admin/');
      return false;
    },
  });
  const deny = () => {
    if (reason.trim() === '') setError(t('reasons:licence.reasonMissing'));
    else decide.run({ id, status: 'Reject', result: reason });
  };
  const legalName = legalNameOf(licence);
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex items-center gap-3">
        <Avatar name={name} src={person.avatar} seed={person.id} size={48} />
        <div className="min-w-0 flex-1">
          <h2 className="text-lead break-words">{name}</h2>
          <p className="text-small break-all text-ink-3">{email}</p>
          <time dateTime={licence.sentAt} className="text-small text-ink-3">
            {t('admin:licenses.sent', { when: format.relative(licence.sentAt) })}
          </time>
        </div>
      </div>
      <p className="text-body">
        <span className="block text-small text-ink-3">{t('admin:licenses.legalName')}</span>
        {legalName === '' ? t('admin:licenses.noLegalName') : legalName}
      </p>
      <ul className="grid gap-3 lg:grid-cols-2">
        {sides.map((side) => {
          const address = licence[side];
          return (
            <li key={side} className="flex flex-col gap-1">
              <span className="text-small text-ink-3">{t(`admin:licenses.${side}`)}</span>
              {address === null ? (
                <span className="grid aspect-[1.6] place-items-center rounded-small bg-page text-small text-ink-3">
                  {t('admin:licenses.noPhoto')}
                </span>
              ) : (
                <button
                  type="button"
                  onClick={() => setZoomed(side)}
                  aria-label={t('admin:licenses.zoom', { side: t(`admin:licenses.${side}`) })}
                  className="cursor-zoom-in overflow-hidden rounded-small bg-page"
                >
                  <img src={address} alt="" className="aspect-[1.6] w-full object-contain" />
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {licence.earlier.length > 0 && (
        <div className="text-small text-ink-2">
          <h3 className="font-semibold">{t('admin:licenses.earlier')}</h3>
          <ul>
            {licence.earlier.map((each) => (
              <li key={each.id} className="break-words">
                {each.decidedAt !== null && `${format.relative(each.decidedAt)}: `}
                {each.status}
                {each.result !== '' && ` – ${each.result}`}
              </li>
            ))}
          </ul>
        </div>
      )}
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
        busy={decide.busy}
        onConfirm={() => decide.run({ id, status: 'Accepted', result: '' })}
      />
      <Confirm
        open={asking === 'deny'}
        onOpenChange={(open) => setAsking(open ? 'deny' : null)}
        title={t('admin:licenses.denyTitle')}
        text={t('admin:licenses.denyText', { name })}
        confirmLabel={t('admin:licenses.deny')}
        cancelLabel={t('common:cancel')}
        busy={decide.busy}
        onConfirm={deny}
      >
        <Field label={t('admin:licenses.reason')} error={error}>
          <TextArea
            value={reason}
            maxLength={reasonLength}
            onChange={(event) => {
              setReason(event.target.value);
              setError(undefined);
            }}
          />
        </Field>
        <fieldset aria-label={t('admin:licenses.quick')} className="flex flex-wrap gap-2">
          {quick.map((word) => {
            const sentence = t(`admin:licenses.quickReasons.${word}`);
            return (
              <button
                key={word}
                type="button"
                className="min-h-11 rounded-full px-3 text-left text-small ring-1 ring-line-2 ring-inset hover:bg-page"
                onClick={() => {
                  setReason((now) => (now === '' ? sentence : `${now}\n${sentence}`));
                  setError(undefined);
                }}
              >
                {sentence}
              </button>
            );
          })}
        </fieldset>
      </Confirm>
      <ZoomViewer
        key={zoomed}
        address={zoomed === null ? null : licence[zoomed]}
        title={zoomed === null ? name : `${name} · ${t(`admin:licenses.${zoomed}`)}`}
        onClose={() => setZoomed(null)}
      />
    </Card>
  );
}
