import { Copy, Share2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { inviteLink, inviteSomebody } from '#contract/contacts/endpoints.ts';
import { useTextDraft } from '../../core/drafts.ts';
import { copyText } from '../../core/copy.ts';
import { device } from '../../core/device/this-device.ts';
import { errorWords, fieldWords } from '../../core/errors.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { Button } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { Card, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** My invitation: a link and its QR code to hand on, or sent by e-mail or text message. */
export function Invite() {
  const { t } = useTranslation('contacts');
  const read = useCall(inviteLink, {}, { quiet: true, staleTime: 3_600_000 });
  return (
    <>
      <div className="flex flex-col gap-2">
        <h2 className="text-heading">{t('invite.heading')}</h2>
        <p className="text-body text-ink-2">{t('invite.text')}</p>
      </div>
      <QueryView query={read} failed={t('invite.failed')} skeleton={{ rows: 1, kind: 'cards' }}>
        {({ code }) => <InviteLink link={`${location.origin}/intro?inviter=${code}`} />}
      </QueryView>
      <SendInvitation />
    </>
  );
}

function InviteLink({ link }: { link: string }) {
  const { t } = useTranslation('contacts');
  const { canShare } = device();
  const copy = async () => {
    if (await copyText(link)) toast.done(t('invite.copied'));
    else toast.error(t('invite.copyFailed'));
  };
  const share = () => device().share({ title: t('invite.message'), text: t('invite.message'), url: link });
  return (
    <>
      <Card className="flex flex-col items-center gap-3 py-6">
        <QrCode value={link} size={200} title={t('invite.qr')} />
        <p className="text-center text-small text-ink-3">{t('invite.scan')}</p>
      </Card>
      <Field label={t('invite.link')}>
        <TextInput readOnly value={link} onFocus={(event) => event.target.select()} />
      </Field>
      <div className="flex flex-col gap-2">
        {canShare && (
          <Button full icon={<Share2 aria-hidden className="size-5" />} onClick={() => void share()}>
            {t('invite.share')}
          </Button>
        )}
        <Button
          tone={canShare ? 'quiet' : 'primary'}
          full
          icon={<Copy aria-hidden className="size-5" />}
          onClick={() => void copy()}
        >
          {t('invite.copy')}
        </Button>
      </div>
    </>
  );
}

function SendInvitation() {
  const { t } = useTranslation('contacts');
  const [by, setBy] = useState<'email' | 'sms'>('email');
  const [to, setTo, forgetTo] = useTextDraft('invite');
  const [problem, setProblem] = useState('');
  const send = useAction(inviteSomebody, {
    onDone: () => {
      forgetTo();
      toast.done(t('invite.sent'));
    },
    onRefused: (refused) => {
      const why = refused.fields['to'];
      if (why === undefined) return false;
      setProblem(refused.reason === 'input.invalid' ? fieldWords(why) : errorWords(refused));
      return true;
    },
  });
  const change = (text: string) => {
    setTo(text);
    setProblem('');
  };
  return (
    <Section title={t('invite.send')}>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          send.run({ by, to });
        }}
      >
        <SegmentedControl
          label={t('invite.by')}
          options={(['email', 'sms'] as const).map((value) => ({ value, label: t(`invite.${value}`) }))}
          value={by}
          onChange={(value) => {
            setBy(value);
            change('');
          }}
        />
        <Field
          label={t(by === 'email' ? 'invite.emailTo' : 'invite.smsTo')}
          hint={t('invite.kept')}
          error={problem === '' ? undefined : problem}
        >
          <TextInput
            type={by === 'email' ? 'email' : 'tel'}
            inputMode={by === 'email' ? 'email' : 'tel'}
            autoComplete="off"
            maxLength={254}
            value={to}
            onChange={(event) => change(event.target.value)}
          />
        </Field>
        <Button type="submit" tone="quiet" full busy={send.busy}>
          {t('invite.sendNow')}
        </Button>
      </form>
    </Section>
  );
}
