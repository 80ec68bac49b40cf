import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton, type ButtonTone } from './button.tsx';

const backdrop =
  'fixed inset-0 z-40 bg-ink/50 transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0';
const popup =
  'fixed z-50 flex max-h-[calc(100dvh-3rem)] flex-col bg-surface text-ink shadow-sheet outline-none transition-[opacity,transform] duration-200 ease-out ' +
  'inset-x-0 bottom-0 rounded-t-sheet data-ending-style:translate-y-full data-starting-style:translate-y-full ' +
  'lg:inset-auto lg:top-1/2 lg:left-1/2 lg:w-[440px] lg:-translate-x-1/2 lg:-translate-y-1/2 lg:rounded-sheet lg:data-ending-style:-translate-y-[48%] lg:data-ending-style:opacity-0 lg:data-starting-style:-translate-y-[48%] lg:data-starting-style:opacity-0';

export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  closeLabel,
  action,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  closeLabel: string;
  /** Stays at the bottom, inside the safe area. */
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <BaseDialog.Root open={open} onOpenChange={onOpenChange}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={backdrop} />
        <BaseDialog.Popup className={popup}>
          <div data-title-bar className="flex items-start justify-between gap-3 pt-3 pr-2 pl-5">
            <BaseDialog.Title className="pt-2 text-heading">{title}</BaseDialog.Title>
            <BaseDialog.Close render={<IconButton label={closeLabel} icon={<X aria-hidden />} />} />
          </div>
          <div className="pane flex-1 px-5 pb-5">
            {description && (
              <BaseDialog.Description className="pb-3 text-body text-ink-2">
                {description}
              </BaseDialog.Description>
            )}
            {children}
          </div>
          {action && (
            <div className="border-t border-line px-5 pt-3 pb-[calc(env(safe-area-inset-bottom)+12px)]">
              {action}
            </div>
          )}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

export function FullDialog({
  open,
  onOpenChange,
  title,
  closeLabel,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Its name for screen readers; what is shown has a heading of its own. */
  title: string;
  /** What is shown may have its own way out. */
  closeLabel?: string;
  children: ReactNode;
}) {
  return (
    <BaseDialog.Root open={open} onOpenChange={onOpenChange}>
      <BaseDialog.Portal>
        <BaseDialog.Popup
          aria-label={title}
          className="fixed inset-0 z-50 bg-surface outline-none transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0"
        >
          {children}
          {closeLabel !== undefined && (
            <BaseDialog.Close
              render={
                <IconButton
                  label={closeLabel}
                  icon={<X aria-hidden />}
                  floating
                  className="absolute top-[calc(env(safe-area-inset-top)+12px)] left-3 z-10"
                />
              }
            />
          )}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

export function Confirm({
  open,
  onOpenChange,
  title,
  text,
  confirmLabel,
  cancelLabel,
  tone = 'danger',
  busy = false,
  disabled = false,
  onConfirm,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What happens and what it costs. */
  text?: ReactNode;
  confirmLabel: string;
  cancelLabel: string;
  tone?: ButtonTone;
  busy?: boolean;
  disabled?: boolean;
  /** The dialog stays open: close it when the action is done. */
  onConfirm: () => void;
  /** More to fill in before confirming, such as a reason. */
  children?: ReactNode;
}) {
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={backdrop} />
        <AlertDialog.Popup className={popup}>
          <div className="pane flex flex-col gap-3 px-5 pt-6 pb-2">
            <AlertDialog.Title className="text-heading">{title}</AlertDialog.Title>
            {text && (
              <AlertDialog.Description className="text-body text-ink-2">{text}</AlertDialog.Description>
            )}
            {children}
          </div>
          <div className="flex flex-col gap-2 px-5 pt-3 pb-[calc(env(safe-area-inset-bottom)+16px)]">
            <Button tone={tone} full busy={busy} disabled={disabled} onClick={onConfirm}>
              {confirmLabel}
            </Button>
            <AlertDialog.Close render={<Button tone="quiet" full disabled={busy} />}>
              {cancelLabel}
            </AlertDialog.Close>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
