import { allowedEmailDomains } from '#contract/access/endpoints.ts';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../core/queries.ts';

/**
 * The e-mail domains that may sign up, and how to say so: before a person types, and when theirs is another
 * one.
 */
export function useAllowedDomains(): { hint: string | undefined; refusal: (email: string) => string | null } {
  const { t } = useTranslation(['access', 'reasons']);
  const { data } = useCall(allowedEmailDomains, {}, { quiet: true, staleTime: 10 * 60_000 });
  const all = data?.domains ?? [];
  const domains = all.join(', ');
  return {
    hint: all.length === 0 ? undefined : t('access:domains', { count: all.length, domains }),
    refusal: (email) =>
      all.length === 0 || all.includes(email.slice(email.lastIndexOf('@') + 1))
        ? null
        : t('reasons:access.domainNotAllowed', { domains }),
  };
}
