import { ArrowUpDown, CircleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Place } from '#contract/units.ts';
import { IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';

export type End = 'from' | 'to';

/** From and to as one box, joined by the thread that the map draws; each opens the place chooser. */
export function RouteFields({
  from,
  to,
  errors,
  onChoose,
  onSwap,
}: {
  from: Place | null;
  to: Place | null;
  errors: Partial<Record<End, string | undefined>>;
  onChoose: (end: End) => void;
  onSwap: () => void;
}) {
  const { t } = useTranslation('planning');
  return (
    <div>
      <div className="flex items-center overflow-hidden rounded-control border border-edge bg-surface pr-1">
        <div className="min-w-0 flex-1 divide-y divide-line">
          <EndRow end="from" place={from} error={errors.from} onChoose={onChoose} />
          <EndRow end="to" place={to} error={errors.to} onChoose={onChoose} />
        </div>
        <IconButton
          label={t('way.swap')}
          icon={<ArrowUpDown aria-hidden className="size-5" />}
          disabled={from === null && to === null}
          onClick={onSwap}
        />
      </div>
      <div aria-live="polite">
        {(['from', 'to'] as const).map(
          (end) =>
            errors[end] !== undefined && (
              <p
                key={end}
                id={`way-${end}-error`}
                className="mt-1.5 flex items-start gap-1.5 text-small text-danger"
              >
                <CircleAlert aria-hidden className="mt-px size-4 shrink-0" />
                {errors[end]}
              </p>
            ),
        )}
      </div>
    </div>
  );
}

function EndRow({
  end,
  place,
  error,
  onChoose,
}: {
  end: End;
  place: Place | null;
  error: string | undefined;
  onChoose: (end: End) => void;
}) {
  const { t } = useTranslation('planning');
  return (
    <button
      type="button"
      id={`field-${end}`}
      data-leads={`?choose=${end}`}
      {...(error === undefined ? {} : { 'aria-describedby': `way-${end}-error` })}
      onClick={() => onChoose(end)}
      className={classes(
        'relative flex min-h-13 w-full items-center gap-3 pr-2 pl-3.5 text-left hover:bg-page focus-visible:-outline-offset-3',
        error !== undefined && 'text-danger',
      )}
    >
      {end === 'from' && (
        <span aria-hidden className="absolute top-9 -bottom-4 left-[22px] w-0.5 bg-line-2" />
      )}
      <span
        aria-hidden
        className={classes(
          'relative grid size-[18px] shrink-0 place-items-center rounded-full border-[3px] border-ink text-[0.5625rem] font-bold',
          end === 'from' ? 'bg-surface' : 'bg-ink',
        )}
      />
      {place === null ? (
        <span className="min-w-0 flex-1 truncate text-lead text-ink-3">
          {t(`way.${end}Placeholder`)}
          <span className="sr-only">: {t('way.choose')}</span>
        </span>
      ) : (
        <span className="min-w-0 flex-1 py-1.5 leading-tight">
          <span className="block truncate text-lead">
            <span className="sr-only">{t(`way.${end}`)}: </span>
            {place.name}
          </span>
          {place.detail !== '' && (
            <span className="block truncate text-small text-ink-3">{place.detail}</span>
          )}
        </span>
      )}
    </button>
  );
}
