import { ImagePlus } from 'lucide-react';
import { useState, type DragEvent, type ReactNode } from 'react';
import { classes } from '../../ui/classes.ts';
import { ChooseFile } from './choose-file.tsx';

/** Dropping files is a shortcut: a button does the same. `over` while some are dragged above it. */
function useDrop(disabled: boolean, onFiles: (files: File[]) => void) {
  const [over, setOver] = useState(false);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (!disabled && files.length > 0) onFiles(files);
  };
  const onDragOver = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return { over, drop: { onDragOver, onDragLeave: () => setOver(false), onDrop } };
}

/** A place for one photo: empty with a way to choose one (or to drop it), or filled with its preview. */
export function PhotoSlot({
  title,
  chooseLabel,
  changeLabel,
  dropHint,
  preview,
  previewLabel,
  error,
  disabled,
  multiple = false,
  onFiles,
  children,
}: {
  title: string;
  chooseLabel: string;
  changeLabel: string;
  dropHint: string;
  /** Address of the chosen photo; null for none. */
  preview: string | null;
  previewLabel: string;
  error: string | undefined;
  disabled: boolean;
  multiple?: boolean;
  onFiles: (files: File[]) => void;
  /** Shown below the photo or in its place, such as its progress. */
  children?: ReactNode;
}) {
  const { over, drop } = useDrop(disabled, onFiles);
  return (
    <section
      aria-label={title}
      {...drop}
      className={classes(
        'flex flex-col gap-3 rounded-control border-2 border-dashed bg-surface p-3',
        error === undefined ? (over ? 'border-brand-ink bg-brand-soft' : 'border-line-2') : 'border-danger',
      )}
    >
      <h3 className="text-body font-semibold">{title}</h3>
      {preview === null ? (
        <EmptySlot hint={dropHint}>
          {children || (
            <ChooseFile
              label={chooseLabel}
              tone="quiet"
              multiple={multiple}
              disabled={disabled}
              onFiles={onFiles}
            />
          )}
        </EmptySlot>
      ) : (
        <>
          <img
            src={preview}
            alt={previewLabel}
            className="aspect-[1.6] w-full rounded-small bg-page object-contain"
          />
          {children || <ChooseFile label={changeLabel} tone="quiet" disabled={disabled} onFiles={onFiles} />}
        </>
      )}
      <p aria-live="polite" className="text-small text-danger empty:hidden">
        {error}
      </p>
    </section>
  );
}

const EmptySlot = ({ hint, children }: { hint: string; children: ReactNode }) => (
  <div className="flex aspect-[1.6] flex-col items-center justify-center gap-2 rounded-small bg-page text-center">
    <ImagePlus aria-hidden className="size-8 text-ink-3" />
    {children}
    <span className="hidden text-small text-ink-3 lg:block">{hint}</span>
  </div>
);
