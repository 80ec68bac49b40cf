import { ImagePlus, MapPin, Plus, SendHorizontal } from 'lucide-react';
import { useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { messageLength } from '#contract/units.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { useDesktop } from '../../ui/media.ts';
import { List, ListRow } from '../../ui/surfaces.tsx';
import { NotUsable, preparePicture } from '../../core/prepare-picture.ts';
import { toast } from '../../ui/toasts.tsx';
import { say, type ChosenPicture } from './outbox.ts';
import { QuickReplies } from './quick-replies.tsx';
import { tellTyping } from './use-typing.ts';
import { useTextDraft } from '../../core/drafts.ts';

/** Enough to see a corner or a car on a phone, and little to send at the curb. */
const pictureSide = 1600;
const pictureQuality = 0.82;
/** The shape of most photos, for one that only the server can open. */
const usualSize = { width: 4, height: 3 };

const round =
  'grid size-12 shrink-0 place-items-center rounded-full transition-colors duration-150 disabled:bg-line disabled:text-ink-3';

/** Where a message is typed: grows with it. Enter sends where there is a keyboard, else starts a new line. */
export function Composer({
  roomid,
  thread,
  onPlace,
}: {
  roomid: string;
  /** Two people before one joins: they say other things than those who ride together. */
  thread: boolean;
  /** Asks for a place to share. */
  onPlace: () => void;
}) {
  const { t } = useTranslation('chat');
  const [text, setText, forgetText] = useTextDraft(`chat.${roomid}`);
  const [attaching, setAttaching] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const send = () => {
    const words = text.trim();
    if (words === '') return;
    void say(roomid, { text: words });
    forgetText();
  };
  const sendPictures = async (files: readonly File[]) => {
    for (const each of files) {
      const picture = await chosenPicture(each);
      if (picture !== null) await say(roomid, { picture });
    }
  };
  return (
    <>
      {text === '' && <QuickReplies thread={thread} onSay={(words) => void say(roomid, { text: words })} />}
      <WriteLine
        roomid={roomid}
        text={text}
        onText={setText}
        onSend={send}
        onAttach={() => setAttaching(true)}
      />
      <input
        ref={file}
        type="file"
        accept="image/*,.heic,.heif"
        multiple
        tabIndex={-1}
        aria-label={t('picture')}
        className="sr-only"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // So that the same file can be chosen again.
          event.target.value = '';
          void sendPictures(files);
        }}
      />
      <AttachDialog
        open={attaching}
        onOpenChange={setAttaching}
        onPicture={() => file.current?.click()}
        onPlace={onPlace}
      />
    </>
  );
}

/** What is typed, between attaching something to it and sending it. */
function WriteLine({
  roomid,
  text,
  onText,
  onSend,
  onAttach,
}: {
  roomid: string;
  text: string;
  onText: (text: string) => void;
  onSend: () => void;
  onAttach: () => void;
}) {
  const { t } = useTranslation(['chat', 'common']);
  const desktop = useDesktop();
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter chooses a word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || !desktop) return;
    event.preventDefault();
    onSend();
  };
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <button
        type="button"
        aria-label={t('chat:attach')}
        title={t('chat:attach')}
        aria-haspopup="dialog"
        className={`${round} text-ink-2 hover:bg-page`}
        onClick={onAttach}
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
          onText(event.target.value);
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
  );
}

/** Attachments, as an alternative to words: pictures or a place. */
function AttachDialog({
  open,
  onOpenChange,
  onPicture,
  onPlace,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onPicture: () => void;
  onPlace: () => void;
}) {
  const { t } = useTranslation(['chat', 'common']);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('chat:attach')} closeLabel={t('common:close')}>
      <List label={t('chat:attach')}>
        <ListRow
          leading={<ImagePlus aria-hidden className="text-brand-ink" />}
          title={t('chat:picture')}
          onClick={() => {
            onOpenChange(false);
            onPicture();
          }}
        />
        <ListRow
          leading={<MapPin aria-hidden className="text-brand-ink" />}
          title={t('chat:place')}
          onClick={() => {
            onOpenChange(false);
            onPlace();
          }}
        />
      </List>
    </Dialog>
  );
}

/** Makes a chosen file small enough to send; null when it cannot be used, which a toast says. */
async function chosenPicture(file: File): Promise<ChosenPicture | null> {
  try {
    const { blob, size } = await preparePicture(file, { longestSide: pictureSide, quality: pictureQuality });
    return { blob, ...(size ?? usualSize) };
  } catch (error) {
    if (!(error instanceof NotUsable)) throw error;
    toast.error(error.message);
    return null;
  }
}
