import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, TextButton } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { useTimeLeft } from '../../../domain/ride/countdown.tsx';

/**
 * Says that the other side did not come: after the wait, which is counted down on the button, and after
 * asking once.
 */
export function NoShowButton({
  onConfirm,
  busy,
  allowed,
  from,
  words,
  hint = '',
  isReady = true,
  full = false,
}: {
  onConfirm: () => void;
  busy: boolean;
  allowed: boolean;
  /** From when it may be said. */
  from: string | null;
  words: { button: string; title: string; text: string; confirm: string };
  /** What must be done first, or what to know before; nothing where it is empty. */
  hint?: string;
  /** False while something else than the time is missing. */
  isReady?: boolean;
  /** The only button there is, instead of a second one under another. */
  full?: boolean;
}) {
  const { t } = useTranslation('common');
  const [open, setOpen] = useState(false);
  const left = useTimeLeft(from);
  const ready = isReady && (allowed || (from !== null && left === null));
  const label = ready || left === null ? words.button : `${words.button} · ${left}`;
  return (
    <>
      {full ? (
        <Button tone="danger" full disabled={!ready} onClick={() => setOpen(true)}>
          {label}
        </Button>
      ) : (
        <TextButton tone="danger" className="figures" disabled={!ready} onClick={() => setOpen(true)}>
          {label}
        </TextButton>
      )}
      {hint !== '' && <p className="text-small text-ink-2">{hint}</p>}
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={words.title}
        text={words.text}
        confirmLabel={words.confirm}
        cancelLabel={t('back')}
        busy={busy}
        onConfirm={() => {
          setOpen(false);
          onConfirm();
        }}
      />
    </>
  );
}
