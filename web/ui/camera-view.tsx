import { Image as ImageIcon, ScanLine } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { buttonVariants } from './button.tsx';
import { classes } from './classes.ts';
import { Banner } from './surfaces.tsx';

/**
 * A camera's picture, square, with a frame to hold a code in; and a choice of a picture that was taken
 * before.
 */
export function CameraView({
  video,
  label,
  hint,
  missing,
  trouble,
  pictureLabel,
  onPicture,
  small = false,
}: {
  video: RefObject<HTMLVideoElement | null>;
  label: string;
  /** What to do, while the camera runs. */
  hint: ReactNode;
  /** Why there is no camera; null while there is one. */
  missing: ReactNode | null;
  /** What is wrong with what was scanned last; empty for nothing. */
  trouble: ReactNode;
  pictureLabel: string;
  onPicture: (file: File | undefined) => void;
  small?: boolean;
}) {
  return (
    <>
      <div
        className={
          missing === null
            ? classes(
                'relative mx-auto aspect-square w-full overflow-hidden rounded-control bg-ink',
                small ? 'max-w-xs' : 'max-w-sm',
              )
            : 'hidden'
        }
      >
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a live camera has nothing to caption */}
        <video ref={video} muted playsInline aria-label={label} className="size-full object-cover" />
        <span
          aria-hidden
          className="pointer-events-none absolute inset-[16%] rounded-control ring-3 ring-white/90"
        />
      </div>
      {missing === null ? (
        <output className="flex items-center justify-center gap-2 text-body text-ink-2">
          <ScanLine aria-hidden className="size-5" />
          {hint}
        </output>
      ) : (
        <Banner kind="warn">{missing}</Banner>
      )}
      {trouble !== '' && <Banner kind="danger">{trouble}</Banner>}
      <label
        className={`${buttonVariants({ tone: 'quiet', full: true })} cursor-pointer has-focus-visible:outline-3 has-focus-visible:outline-brand-ink`}
      >
        <ImageIcon aria-hidden className="size-5" />
        {pictureLabel}
        <input
          type="file"
          accept="image/*"
          className="sr-only"
          onChange={(event) => {
            onPicture(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </label>
    </>
  );
}
