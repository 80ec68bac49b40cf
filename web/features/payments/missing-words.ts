import { useTranslation } from 'react-i18next';

/** What providers call things, by a part of the name; the first that matches counts. */
const known = [
  ['document', 'document'],
  ['address', 'address'],
  ['dob', 'dob'],
  ['external_account', 'bank'],
  ['bank', 'bank'],
  ['ssn', 'ssn'],
  ['id_number', 'ssn'],
  ['phone', 'phone'],
  ['email', 'email'],
  ['name', 'name'],
  ['tos_acceptance', 'terms'],
  ['business', 'business'],
] as const;

/**
 * What the provider still wants to know, in words, each once: `individual.dob.day` is "Your date of birth".
 */
export function useMissingWords(): (missing: readonly string[]) => string[] {
  const { t } = useTranslation('payments');
  return (missing) => [
    ...new Set(
      missing.map((name) => {
        const word = known.find(([part]) => name.includes(part))?.[1];
        return word === undefined ? t('account.what.other', { name }) : t(`account.what.${word}`);
      }),
    ),
  ];
}
