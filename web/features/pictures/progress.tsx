import { useTranslation } from 'react-i18next';

/** How much of a picture has been sent; then, that the server opens it. */
export function Progress({ label, share }: { label: string; share: number }) {
  const { t } = useTranslation('people');
  return (
    <div className="flex flex-col gap-1.5">
      <progress
        aria-label={label}
        value={share}
        max={1}
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-brand [&::-webkit-progress-value]:transition-[inline-size]"
      />
      <p aria-hidden className="figures text-small text-ink-3">
        {share < 1 ? t('sent.progress', { percent: Math.round(share * 100) }) : t('sent.opening')}
      </p>
    </div>
  );
}
