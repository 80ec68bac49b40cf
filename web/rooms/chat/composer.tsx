import { SendHorizontal } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { messageLength } from '#contract/units.ts';
import { TextArea } from '../../ui/inputs.tsx';
import { useDesktop } from '../../ui/media.ts';
import { say } from './outbox.ts';

/** Where a message is typed: grows with it. Enter sends where there is a keyboard, else starts a new line. */
export function Composer({ roomid }: { roomid: string }) {
  const { t } = useTranslation(['chat', 'common']);
  const desktop = useDesktop();
  const [text, setText] = useState('');
  const send = () => {
    const words = text.trim();
    if (words === '') return;
    say(roomid, words);
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter chooses a word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || !desktop) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextArea
        rows={1}
        aria-label={t('chat:write')}
        placeholder={t('chat:write')}
        maxLength={messageLength}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        className="min-h-12! max-h-36!"
      />
      <button
        type="submit"
        aria-label={t('common:send')}
        title={t('common:send')}
        disabled={text.trim() === ''}
        className="grid size-12 shrink-0 place-items-center rounded-full bg-ink text-white transition-colors duration-150 disabled:bg-line disabled:text-ink-3"
      >
        <SendHorizontal aria-hidden className="size-6" />
      </button>
    </form>
  );
}
