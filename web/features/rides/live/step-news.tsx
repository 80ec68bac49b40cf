import { useTranslation } from 'react-i18next';
import { orderTimeline } from '#contract/rides/endpoints.ts';
import type { Ride } from '#contract/rides/views.ts';
import { useCall } from '../../../core/queries.ts';
import { useFormat } from '../../../core/use-format.ts';
import { TextButton } from '../../../ui/button.tsx';
import { Banner } from '../../../ui/surfaces.tsx';
import { forgetStep, useSteps, type QueuedStep } from './step-queue.ts';
import { useTimelineWords } from '../detail/timeline.tsx';

const mostNews = 3;

/**
 * My steps without a connection: those that still wait to be sent, and those that the server refused, in
 * words.
 */
export function StepNews({ ride }: { ride: Ride }) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const stepWords = useStepWords();
  const { waiting, refused } = useSteps(ride.id);
  return (
    <div aria-live="polite" className="flex flex-col gap-3 empty:hidden">
      {waiting.length > 0 && (
        <Banner kind="warn">
          <span className="block font-semibold">{t('pending.title')}</span>
          <ul className="pt-1">
            {waiting.map((step) => (
              <li key={step.key} className="figures">
                {t('pending.line', { time: format.timeOfDay(step.at, ride.timeZone), step: stepWords(step) })}
              </li>
            ))}
          </ul>
        </Banner>
      )}
      {refused.map((step) => (
        <RefusedStep key={step.key} ride={ride} step={step} />
      ))}
    </div>
  );
}

function RefusedStep({ ride, step }: { ride: Ride; step: QueuedStep }) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const stepWords = useStepWords();
  const timelineWords = useTimelineWords();
  const isMovedOn = step.refused?.movedOn === true;
  const { data } = useCall(orderTimeline, { id: ride.id }, { quiet: true, enabled: isMovedOn });
  const meanwhile = (data?.entries ?? [])
    .filter(({ at }) => Date.parse(at) >= Date.parse(step.at))
    .flatMap((entry) => {
      const words = timelineWords(entry);
      return words === null ? [] : [{ at: entry.at, words }];
    })
    .slice(-mostNews);
  return (
    <Banner
      kind="danger"
      action={<TextButton onClick={() => forgetStep(step.key)}>{t('pending.understood')}</TextButton>}
    >
      <span className="block font-semibold">
        {t('pending.refused', { step: stepWords(step), time: format.timeOfDay(step.at, ride.timeZone) })}
      </span>
      <span className="block pt-1">{step.refused?.words}</span>
      {meanwhile.length > 0 && (
        <>
          <span className="block pt-2">{t('pending.meanwhile')}</span>
          <ul>
            {meanwhile.map(({ at, words }) => (
              <li key={`${at} ${words}`} className="figures">
                {t('pending.line', { time: format.timeOfDay(at, ride.timeZone), step: words })}
              </li>
            ))}
          </ul>
        </>
      )}
    </Banner>
  );
}

function useStepWords(): (step: QueuedStep) => string {
  const { t } = useTranslation('rides');
  return ({ name, input, person }) => {
    const isUndo = input['undo'] === true;
    const isOfRide = input['bookingId'] === undefined;
    switch (name) {
      case 'reach':
        return isOfRide ? t('pending.reachStart') : t('pending.reach', { name: person });
      case 'depart':
        return t('pending.depart');
      case 'passStop':
        return t('pending.passStop');
      case 'pickUp':
        return t(isUndo ? 'pending.undo' : 'pending.pickUp', { name: person });
      case 'confirmMeeting':
        return t(isUndo ? 'pending.undo' : 'pending.met', { name: person });
      case 'noteContact':
        return t('pending.contact', { name: person });
      case 'noShow':
      case 'reportDriver':
        return t('pending.noShow', { name: person });
      case 'arrive':
        return isOfRide ? t('pending.arrive') : t('pending.dropOff', { name: person });
    }
  };
}
