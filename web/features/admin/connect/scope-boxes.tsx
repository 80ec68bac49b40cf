import { useTranslation } from 'react-i18next';
import { isTeamScope, type Scope, type TeamScope } from '#contract/connect/scopes.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';

type PersonalScope = Exclude<Scope, TeamScope | 'scim'>;
type Kind = 'read' | 'write';

const partsOf = (scope: PersonalScope) => {
  const [group = '', kind = ''] = scope.split(':');
  return { group, kind } as PersonalScope extends `${infer G}:${string}` ? { group: G; kind: Kind } : never;
};

/** The scopes of a key: by part of the app, and in the admin area by permission. */
export function ScopeBoxes({
  offered,
  chosen,
  error,
  onChange,
}: {
  offered: readonly Scope[];
  chosen: readonly Scope[];
  error: string | undefined;
  onChange: (chosen: readonly Scope[]) => void;
}) {
  const { t } = useTranslation('connect');
  const set = (scope: Scope, on: boolean) =>
    onChange(on ? [...chosen, scope] : chosen.filter((each) => each !== scope));
  const team = offered.filter(isTeamScope);
  const personal = offered.filter((scope): scope is PersonalScope => !isTeamScope(scope) && scope !== 'scim');
  const groups = Map.groupBy(personal, (scope) => partsOf(scope).group);
  return (
    <fieldset aria-describedby={error === undefined ? undefined : 'scopes-error'}>
      <legend className="text-small font-semibold">{t('scopes.title')}</legend>
      {error !== undefined && (
        <p id="scopes-error" role="alert" className="text-small text-danger">
          {error}
        </p>
      )}
      <ul className="divide-y divide-line">
        {[...groups].map(([group, all]) => (
          <li key={group} className="flex flex-wrap items-center justify-between gap-x-4">
            <span className="text-body">{t(`scopes.groups.${group}`)}</span>
            <span className="flex gap-4">
              {all.map((scope) => {
                const label = t(`scopes.${partsOf(scope).kind}`);
                return (
                  <Checkbox
                    key={scope}
                    label={label}
                    fullLabel={`${t(`scopes.groups.${group}`)}: ${label}`}
                    checked={chosen.includes(scope)}
                    onChange={(on) => set(scope, on)}
                  />
                );
              })}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-4 text-small font-semibold">{t('scopes.team')}</p>
      <div className="flex flex-col">
        {team.map((scope) => (
          <Checkbox
            key={scope}
            label={t(`scopes.permissions.${scope}`)}
            fullLabel={t(`scopes.permissions.${scope}`)}
            checked={chosen.includes(scope)}
            onChange={(on) => set(scope, on)}
          />
        ))}
        {offered.includes('scim') && (
          <Checkbox
            label={t('scopes.scim')}
            fullLabel={t('scopes.scim')}
            checked={chosen.includes('scim')}
            onChange={(on) => set('scim', on)}
          />
        )}
      </div>
    </fieldset>
  );
}
