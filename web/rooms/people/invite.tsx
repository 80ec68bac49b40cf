import { Copy, Share2 } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../../base/copy.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** The link to this site and its QR code, to hand to somebody. It opens the introduction, which leads into the app. */
export function Invite({ heading, text }: { heading: string; text: string }) {
  const { t } = useTranslation('people');
  const link = `${location.origin}/intro`;
  const canShare = 'share' in navigator;
  const copy = async () => {
    if (await copyText(link)) toast.done(t('invite.copied'));
    else toast.error(t('invite.copyFailed'));
  };
  const share = async () => {
    try {
      await navigator.share({ title: t('invite.message'), text: t('invite.message'), url: link });
    } catch {
      // Closing the share sheet is no error.
    }
  };
  return (
    <>
      <div className="flex flex-col gap-2">
        <h2 className="text-heading">{heading}</h2>
        <p className="text-body text-ink-2">{text}</p>
      </div>
      <Card className="flex flex-col items-center gap-3 py-6">
        <QRCodeSVG
          value={link}
          size={200}
          level="M"
          marginSize={2}
          fgColor="#1F2430"
          bgColor="#FFFFFF"
          title={t('invite.qr')}
        />
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
