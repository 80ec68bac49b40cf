import { CircleAlert, Plus, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { maxVia, type Place } from '#contract/units.ts';
import { IconButton, TextButton } from '../../ui/button.tsx';

/** Where the driver stops on the way no matter who rides along: up to three places in their order. */
export function ViaFields({
  via,
  error,
  onChoose,
  onChange,
}: {
  via: readonly Place[];
  error: string | undefined;
  /** Opens the place chooser for a stop; the one after the last is new. */
  onChoose: (index: number) => void;
  onChange: (via: Place[]) => void;
}) {
  const { t } = useTranslation('planning');
  return (
    <div id="field-via" className="flex flex-col gap-1">
      {via.length > 0 && (
        <ol aria-label={t('via.label')} className="divide-y divide-line rounded-control border border-edge">
          {via.map((stop, index) => (
            <li key={`${stop.lon} ${stop.lat} ${stop.name}`} className="flex items-center pr-1">
              <button
                type="button"
                onClick={() => onChoose(index)}
                className="flex min-h-13 min-w-0 flex-1 items-center gap-3 pl-3.5 text-left hover:bg-page focus-visible:-outline-offset-3"
              >
                <span
                  aria-hidden
                  className="figures grid size-[18px] shrink-0 place-items-center rounded-[5px] border-2 border-ink text-[0.625rem] leading-none font-bold"
                >
                  {index + 1}
                </span>
                <span className="min-w-0 leading-tight">
                  <span className="block truncate text-lead">
                    <span className="sr-only">{t('via.stop', { number: index + 1 })}: </span>
                    {stop.name}
                  </span>
                  {stop.detail !== '' && (
                    <span className="block truncate text-small text-ink-3">{stop.detail}</span>
                  )}
                </span>
              </button>
              <IconButton
                label={t('via.remove', { name: stop.name })}
                icon={<X aria-hidden className="size-5" />}
                onClick={() => onChange(via.filter((_, each) => each !== index))}
              />
            </li>
          ))}
        </ol>
      )}
      {error !== undefined && (
        <p role="alert" className="flex items-start gap-1.5 text-small text-danger">
          <CircleAlert aria-hidden className="mt-px size-4 shrink-0" />
          {error}
        </p>
      )}
      {via.length < maxVia && (
        <div>
          <TextButton onClick={() => onChoose(via.length)}>
            <span className="inline-flex items-center gap-1.5">
              <Plus aria-hidden className="size-5" />
              {t('via.add')}
            </span>
          </TextButton>
        </div>
      )}
    </div>
  );
}
