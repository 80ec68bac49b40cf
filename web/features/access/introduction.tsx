import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { homeOf, type Side } from '../../core/side.ts';
import { currentLanguage, setLanguage } from '../../core/i18n.ts';
import { languages } from '../../core/preferred-language.ts';
import { MinutesPicture, PeoplePicture, WaysPicture } from './intro-pictures.tsx';
import { Button, TextButton } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/choices.tsx';
import { classes } from '../../ui/classes.ts';

const steps = [
  ['ways', WaysPicture],
  ['minutes', MinutesPicture],
  ['people', PeoplePicture],
] as const;

/** In the page's HTML a button that leads to an address is a link (scripts/web-build/first-screens.ts). */
const leadsTo = (side: Side) => ({ 'data-leads': homeOf[side], 'data-side': side });

/**
 * What Sameway is, in three steps. Any of them can be left by saying which side one is on, or by skipping
 * the rest.
 */
export function Introduction({ onLeave }: { onLeave: (side: Side | null) => void }) {
  const { t } = useTranslation(['access', 'common']);
  const [at, setAt] = useState(0);
  // The first step is there already when the app takes over from the page's HTML.
  const [hasMoved, setHasMoved] = useState(false);
  const moveTo = (step: number) => {
    setAt(step);
    setHasMoved(true);
  };
  const [word, Picture] = steps[at] ?? steps[0];
  const isLast = at === steps.length - 1;
  return (
    <div className="safe-top flex h-full flex-col bg-page">
      <IntroHead onSkip={() => onLeave(null)} />
      <div className="pane min-h-0 flex-1">
        <div
          key={word}
          className={classes(
            'mx-auto flex min-h-full w-full max-w-[1040px] flex-col items-center justify-center gap-[min(2rem,4cqb)] px-6 py-[min(1.5rem,2cqb)] lg:flex-row lg:gap-20 lying:flex-row lying:gap-8',
            hasMoved && 'animate-fade',
          )}
        >
          <div className="flex w-full justify-center large-text:hidden lg:w-1/2 lying:w-2/5">
            <Picture />
          </div>
          <div
            aria-live="polite"
            className="flex w-full max-w-md flex-col gap-3 min-h-[min(12rem,22cqb)] lying:min-h-0 lg:min-h-0 lg:w-1/2 lying:w-3/5"
          >
            <p className="text-small font-semibold text-brand-ink">{t('common:product')}</p>
            <h1 className="text-title">{t(`access:intro.${word}.title`)}</h1>
            <p className="text-lead text-ink-2">{t(`access:intro.${word}.text`)}</p>
          </div>
        </div>
      </div>
      <div className="mx-auto flex w-full max-w-[1040px] shrink-0 flex-col items-center gap-[min(1rem,1cqb)] px-4 pt-2 pb-[calc(env(safe-area-inset-bottom)+16px)] lying:flex-row lying:justify-between lying:pb-[calc(env(safe-area-inset-bottom)+8px)]">
        <div className="flex items-center">
          {steps.map(([each], index) => (
            <button
              key={each}
              type="button"
              aria-label={t('access:intro.step', { step: index + 1, count: steps.length })}
              aria-current={index === at ? 'step' : undefined}
              onClick={() => moveTo(index)}
              className="grid size-11 place-items-center rounded-full"
            >
              <span
                className={classes(
                  'h-2 rounded-full transition-[width] duration-200',
                  index === at ? 'w-6 bg-brand-ink' : 'w-2 bg-edge',
                )}
              />
            </button>
          ))}
          {!isLast && (
            <TextButton className="ml-2" onClick={() => moveTo(at + 1)}>
              {t('access:intro.next')}
            </TextButton>
          )}
        </div>
        <Sides onLeave={onLeave} />
      </div>
    </div>
  );
}

/** Which side one is on: to ride along, or to drive. */
function Sides({ onLeave }: { onLeave: (side: Side) => void }) {
  const { t } = useTranslation('access');
  return (
    <div className="flex w-full gap-2 large-text:flex-col lg:w-96 lying:w-96">
      <Button {...leadsTo('passenger')} className="flex-1" onClick={() => onLeave('passenger')}>
        {t('intro.ride')}
      </Button>
      <Button {...leadsTo('driver')} className="flex-1" tone="quiet" onClick={() => onLeave('driver')}>
        {t('intro.drive')}
      </Button>
    </div>
  );
}

/** The languages to choose from, and the way past the steps. */
function IntroHead({ onSkip }: { onSkip: () => void }) {
  const { t } = useTranslation(['access', 'common']);
  return (
    <div className="mx-auto flex w-full max-w-[1040px] shrink-0 items-center justify-between gap-3 px-4 pt-3">
      <div className="min-w-56 large-text:min-w-0">
        <SegmentedControl
          label={t('access:intro.language')}
          options={languages.map((value) => ({ value, label: t(`common:language.${value}`) }))}
          value={currentLanguage()}
          onChange={(language) => void setLanguage(language)}
        />
      </div>
      <TextButton data-leads={homeOf.driver} tone="ink" onClick={onSkip}>
        {t('common:skip')}
      </TextButton>
    </div>
  );
}
