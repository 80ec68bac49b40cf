import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';

/** One of the two answers: what it does, and whether it can be given just now. */
interface Answer {
  /** Replaces the plain label, such as `Accept · $12.00 held`. */
  label?: string;
  busy?: boolean;
  disabled?: boolean;
  run: () => void;
}

/** Accept or Decline, the same everywhere that a person answers another one. */
export function AnswerBar({
  accept,
  decline,
  full = false,
}: {
  accept: Answer;
  decline: Answer;
  /** As tall as the one action of a page. */
  full?: boolean;
}) {
  const { t } = useTranslation('rides');
  return (
    <div className="flex w-full gap-2">
      <Button
        tone="quiet"
        small={!full}
        className="flex-1"
        busy={decline.busy === true}
        disabled={decline.disabled === true || accept.busy === true}
        onClick={decline.run}
      >
        {decline.label ?? t('ask.reject')}
      </Button>
      <Button
        small={!full}
        className={full ? 'min-w-0 flex-2' : 'flex-1'}
        busy={accept.busy === true}
        disabled={accept.disabled === true || decline.busy === true}
        onClick={accept.run}
      >
        {accept.label ?? t('ask.accept')}
      </Button>
    </div>
  );
}
