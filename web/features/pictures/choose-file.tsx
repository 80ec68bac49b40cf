import { useRef, type ReactNode } from 'react';
import { Button, type ButtonTone } from '../../ui/button.tsx';

/** A button that opens the device's own picker of photos: the camera or the gallery on a phone. */
export function ChooseFile({
  label,
  icon,
  tone = 'primary',
  full = false,
  multiple = false,
  disabled = false,
  onFiles,
}: {
  label: string;
  icon?: ReactNode;
  tone?: ButtonTone;
  full?: boolean;
  multiple?: boolean;
  disabled?: boolean;
  onFiles: (files: File[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*,.heic,.heif"
        multiple={multiple}
        tabIndex={-1}
        aria-label={label}
        className="sr-only"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // So that the same file can be chosen again.
          event.target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      <Button
        tone={tone}
        full={full}
        small={!full}
        disabled={disabled}
        icon={icon}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
    </>
  );
}
