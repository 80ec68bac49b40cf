import { signup } from '#contract/access/endpoints.ts';
import { now } from '../../core/clock.ts';
import { currentLanguage } from '../../core/i18n.ts';
import { useAction } from '../../core/queries.ts';
import { keepDraft, readDraft } from './draft.ts';

/**
 * Starts an account for the email of the step before: the server sends its code. There is no password; a
 * person who wants one sets it later, by a code too.
 */
export function useStartSignUp({
  onSent,
  onTaken,
}: {
  onSent: () => void;
  /** The email has an account by now. */
  onTaken: () => void;
}): { busy: boolean; start: () => void } {
  const action = useAction(signup, {
    onDone: ({ resendAfterSeconds }) => {
      keepDraft({ resendAt: now() + resendAfterSeconds * 1000 });
      onSent();
    },
    onRefused: ({ reason }) => {
      if (reason !== 'access.emailTaken') return false;
      onTaken();
      return true;
    },
  });
  return {
    busy: action.busy,
    start: () => action.run({ email: readDraft().email, language: currentLanguage() }),
  };
}
