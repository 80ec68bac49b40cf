/** How much of something has been sent. */
export function Progress({ label, share, text }: { label: string; share: number; text: string }) {
  return (
    <div className="flex flex-col gap-1.5">
      <progress
        aria-label={label}
        value={share}
        max={1}
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-brand [&::-webkit-progress-value]:transition-[inline-size]"
      />
      <p aria-hidden className="figures text-small text-ink-3">
        {text}
      </p>
    </div>
  );
}
