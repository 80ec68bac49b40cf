import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '#contract/define.ts';
import { listTags } from '#contract/contacts/endpoints.ts';
import { useCall } from '../../core/queries.ts';
import { PartView } from '../../core/query-view.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { Chip } from '../../ui/chips.tsx';
import { RadioList } from '../../ui/choices.tsx';
import { Field, useFieldGroup } from '../../ui/field.tsx';
import type { PlanValues } from './plan-values.ts';

const audiences = ['all users', 'all contacts', 'tags', 'private'] as const;

/** Whom a ride or request reaches; with tags, which ones. */
export function VisibilityFields({
  draft,
  error,
  onChange,
}: {
  draft: Pick<PlanValues, 'visibility' | 'tagIds'>;
  error: string | undefined;
  onChange: (part: Partial<Pick<PlanValues, 'visibility' | 'tagIds'>>) => void;
}) {
  const { t } = useTranslation('planning');
  return (
    <div className="flex flex-col gap-2">
      <RadioList
        label={t('visibility.label')}
        value={draft.visibility}
        options={audiences.map((audience) => ({
          value: audience,
          label: t(`visibility.${audience}.label`),
          detail: t(`visibility.${audience}.detail`),
        }))}
        onChange={(visibility) => onChange({ visibility })}
      />
      {draft.visibility === 'tags' && (
        <div id="field-tagIds">
          <Field label={t('visibility.whichTags')} error={error}>
            <Tags tagIds={draft.tagIds} onChange={(tagIds) => onChange({ tagIds })} />
          </Field>
        </div>
      )}
    </div>
  );
}

function Tags({ tagIds, onChange }: { tagIds: string[]; onChange: (tagIds: string[]) => void }) {
  const { t } = useTranslation('planning');
  const all = useCall(listTags, {}, { quiet: true });
  return (
    <PartView query={all} failed={t('visibility.tagsFailed')}>
      {({ tags }) => <TagChips tags={tags} tagIds={tagIds} onChange={onChange} />}
    </PartView>
  );
}

function TagChips({
  tags,
  tagIds,
  onChange,
}: {
  tags: OutputOf<typeof listTags>['tags'];
  tagIds: string[];
  onChange: (tagIds: string[]) => void;
}) {
  const { t } = useTranslation('planning');
  const group = useFieldGroup();
  if (tags.length === 0) {
    return (
      <div className="flex flex-col items-start gap-2">
        <p className="text-body text-ink-2">{t('visibility.noTags')}</p>
        <Link to="/pages/contact/tags" className={buttonVariants({ tone: 'quiet', small: true })}>
          {t('visibility.toTags')}
        </Link>
      </div>
    );
  }
  return (
    <fieldset {...group} className="flex min-w-0 flex-wrap gap-2">
      {tags.map((tag) => {
        const selected = tagIds.includes(tag.id);
        return (
          <Chip
            key={tag.id}
            selected={selected}
            onClick={() => onChange(selected ? tagIds.filter((id) => id !== tag.id) : [...tagIds, tag.id])}
          >
            {t('visibility.tag', { name: tag.name, count: tag.size })}
          </Chip>
        );
      })}
    </fieldset>
  );
}
