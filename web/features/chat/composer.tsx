import { ImagePlus, MapPin, Plus, SendHorizontal } from 'lucide-react';
import { useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { messageLength } from '#contract/units.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { useDesktop } from '../../ui/media.ts';
import { List, ListRow } from '../../ui/surfaces.tsx';
import { say, type ChosenPicture } from './outbox.ts';
import { QuickReplies } from './quick-replies.tsx';
import { tellTyping } from './use-typing.ts';
import { useTextDraft } from '../../core/drafts.ts';

const round =
  'grid size-12 shrink-0 place-items-center rounded-full transition-colors duration-150 disabled:bg-line disabled:text-ink-3';

/** Where a message is typed: grows with it. Enter sends where there is a keyboard, else starts a new line. */
export function Composer({
  roomid,
  thread,
  preparePicture,
  onPlace,
}: {
  roomid: string;
  /** Two people before one joins: they say other things than those who ride together. */
  thread: boolean;
  /** Makes a chosen file small enough to send; null when it cannot be used, which it says itself. */
  preparePicture: (file: File) => Promise<ChosenPicture | null>;
  /** Asks for a place to share. */
  onPlace: () => void;
}) {
  const { t } = useTranslation(['chat', 'common']);
  const desktop = useDesktop();
  const [text, setText, forgetText] = useTextDraft(`chat.${roomid}`);
  const [attaching, setAttaching] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const send = () => {
    const words = text.trim();
    if (words === '') return;
    void say(roomid, { text: words });
    forgetText();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter chooses a word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || !desktop) return;
    event.preventDefault();
    send();
  };
  const sendPictures = async (files: readonly File[]) => {
    for (const each of files) {
      const picture = await preparePicture(each);
      if (picture !== null) await say(roomid, { picture });
    }
  };
  return (
    <>
      {text === '' && <QuickReplies thread={thread} onSay={(words) => void say(roomid, { text: words })} />}
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <button
          type="button"
          aria-label={t('chat:attach')}
          title={t('chat:attach')}
          aria-haspopup="dialog"
          className={`${round} text-ink-2 hover:bg-page`}
          onClick={() => setAttaching(true)}
        >
          <Plus aria-hidden className="size-6" />
        </button>
        <TextArea
          rows={1}
          aria-label={t('chat:write')}
          placeholder={t('chat:write')}
          maxLength={messageLength}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            if (event.target.value.trim() !== '') tellTyping(roomid);
          }}
          onKeyDown={onKeyDown}
          className="min-h-12! max-h-36!"
        />
        <button
          type="submit"
          aria-label={t('common:send')}
          title={t('common:send')}
          disabled={text.trim() === ''}
          className={`${round} bg-ink text-white`}
        >
          <SendHorizontal aria-hidden className="size-6" />
        </button>
      </form>
      <input
        ref={file}
        type="file"
        accept="image/*,.heic,.heif"
        multiple
        tabIndex={-1}
        aria-label={t('chat:picture')}
        className="sr-only"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // So that the same file can be chosen again.
          event.target.value = '';
          void sendPictures(files);
        }}
      />
      <Dialog
        open={attaching}
        onOpenChange={setAttaching}
        title={t('chat:attach')}
        closeLabel={t('common:close')}
      >
        <List label={t('chat:attach')}>
          <ListRow
            leading={<ImagePlus aria-hidden className="text-brand-ink" />}
            title={t('chat:picture')}
            onClick={() => {
              setAttaching(false);
              file.current?.click();
            }}
          />
          <ListRow
            leading={<MapPin aria-hidden className="text-brand-ink" />}
            title={t('chat:place')}
            onClick={() => {
              setAttaching(false);
              onPlace();
            }}
          />
        </List>
      </Dialog>
    </>
  );
}
