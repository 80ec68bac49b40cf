import { Copy, Share2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { EventDetail } from '#contract/events/endpoints.ts';
import { copyText } from '../../core/copy.ts';
import { device } from '../../core/device/this-device.ts';
import { useFormat } from '../../core/use-format.ts';
import { QrCode } from '../../ui/qr-code.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea, TextInput } from '../../ui/inputs.tsx';
import { toast } from '../../ui/toasts.tsx';

const queryOf = ({ id, token }: Pick<EventDetail, 'id' | 'token'>): string =>
  new URLSearchParams({ id, ...(token === '' ? {} : { token }) }).toString();

/** The short address that opens an event, also one that is not public. */
export const eventLink = ({ link }: Pick<EventDetail, 'link'>): string => location.origin + link;

function useCopy(): (text: string) => void {
  const { t } = useTranslation('events');
  return (text) =>
    void copyText(text).then((copied) =>
      copied ? toast.done(t('share.copied')) : toast.error(t('share.copyFailed')),
    );
}

/** The link of an event, its QR code, and the device's own way to pass it on. */
export function ShareEvent({
  event,
  open,
  onOpenChange,
}: {
  event: EventDetail;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { t } = useTranslation(['events', 'common']);
  const copy = useCopy();
  const link = eventLink(event);
  const share = () => device().share({ title: event.name, url: link });
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('events:share.title')}
      closeLabel={t('common:close')}
    >
      <div className="flex flex-col gap-4">
        <div className="flex justify-center">
          <QrCode value={link} size={180} title={t('events:poster.scan')} />
        </div>
        <Field
          label={t('events:share.link')}
          {...(event.token === '' ? {} : { hint: t('events:share.linkSecret') })}
        >
          <TextInput readOnly value={link} onFocus={({ target }) => target.select()} />
        </Field>
        <div className="flex flex-col gap-2">
          {device().canShare && (
            <Button full icon={<Share2 aria-hidden className="size-5" />} onClick={() => void share()}>
              {t('events:share.send')}
            </Button>
          )}
          <Button tone="quiet" full icon={<Copy aria-hidden className="size-5" />} onClick={() => copy(link)}>
            {t('events:share.copy')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** The code that shows an event on the organizer's own page, in the language they read now. */
export function EmbedEvent({
  event,
  open,
  onOpenChange,
}: {
  event: EventDetail;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { t } = useTranslation(['events', 'common']);
  const { language } = useFormat();
  const copy = useCopy();
  const address = `${location.origin}/event/embed?${queryOf(event)}&lang=${language}`;
  const code = `<iframe src="${address.replaceAll('&', '&amp;')}" title="${attribute(event.name)}" width="340" height="270" style="border:0" loading="lazy"></iframe>`;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('events:share.embedTitle')}
      description={t('events:share.embedText')}
      closeLabel={t('common:close')}
    >
      <div className="flex flex-col gap-4">
        <Field label={t('events:share.code')}>
          <TextArea readOnly rows={4} value={code} onFocus={({ target }) => target.select()} />
        </Field>
        <Button tone="quiet" full icon={<Copy aria-hidden className="size-5" />} onClick={() => copy(code)}>
          {t('events:share.copyCode')}
        </Button>
      </div>
    </Dialog>
  );
}

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
