import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createReview, reviewTags } from '#contract/reviews/endpoints.ts';
import type { Review } from '#contract/reviews/endpoints.ts';
import { useDraft } from '../../core/drafts.ts';
import { useAction } from '../../core/queries.ts';
import * as shape from '../../core/shape.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chips.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { StarsInput } from '../../ui/people.tsx';
import { Card } from '../../ui/surfaces.tsx';

const draft = shape.fields({
  stars: shape.figure,
  tags: shape.list(shape.oneOf(...reviewTags)),
  words: shape.text,
});
const empty: shape.Shaped<typeof draft> = { stars: 0, tags: [], words: '' };
const wordsLength = 1000;

type ReviewTag = (typeof reviewTags)[number];

/** Stars, what was good, and a few words about the other side of a ride. */
export function ReviewForm({
  bookingId,
  name,
  subjectDrove,
  onWritten,
}: {
  bookingId: string;
  name: string;
  /** Whether the reviewed person was the driver. */
  subjectDrove: boolean;
  onWritten: (review: Review) => void;
}) {
  const { t } = useTranslation(['reviews', 'common']);
  const [{ stars, tags, words }, setDraft, forgetDraft] = useDraft(`review.${bookingId}`, empty, draft);
  const change = (part: Partial<shape.Shaped<typeof draft>>) =>
    setDraft((before) => ({ ...before, ...part }));
  const [missing, setMissing] = useState(false);
  const action = useAction(createReview, {
    invalidates: ['/review/', '/order/', '/user/'],
    onDone: (review) => {
      forgetDraft();
      onWritten(review);
    },
  });
  return (
    <form
      className="flex flex-col gap-5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (stars === 0) setMissing(true);
        else action.run({ bookingId, stars, tags, words });
      }}
    >
      <StarsCard
        name={name}
        stars={stars}
        missing={missing}
        onChange={(next) => {
          change({ stars: next });
          setMissing(false);
        }}
      />
      <TagChoice
        tags={reviewTags.filter((tag) => subjectDrove || tag !== 'safeDriver')}
        chosen={tags}
        onChange={(next) => change({ tags: next })}
      />
      <Field label={t('reviews:words')} note={t('common:optional')} error={action.fields['words']}>
        <TextArea
          maxLength={wordsLength}
          value={words}
          placeholder={t('reviews:wordsHint', { name })}
          onChange={(event) => change({ words: event.target.value })}
        />
      </Field>
      <p className="text-small text-ink-3">{t('reviews:doubleBlind', { name })}</p>
      <Button type="submit" full busy={action.busy}>
        {t('reviews:send')}
      </Button>
    </form>
  );
}

/** What was good about the ride, in words that are offered. */
function TagChoice({
  tags,
  chosen,
  onChange,
}: {
  tags: readonly ReviewTag[];
  chosen: readonly ReviewTag[];
  onChange: (chosen: ReviewTag[]) => void;
}) {
  const { t } = useTranslation('reviews');
  return (
    <fieldset aria-label={t('tags')} className="flex flex-wrap gap-2">
      {tags.map((tag) => (
        <Chip
          key={tag}
          selected={chosen.includes(tag)}
          onClick={() =>
            onChange(chosen.includes(tag) ? chosen.filter((each) => each !== tag) : [...chosen, tag])
          }
        >
          {t(`tag.${tag}`)}
        </Chip>
      ))}
    </fieldset>
  );
}

/** How many stars, and their meaning, or that they are missing. */
function StarsCard({
  name,
  stars,
  missing,
  onChange,
}: {
  name: string;
  stars: number;
  missing: boolean;
  onChange: (stars: number) => void;
}) {
  const { t } = useTranslation(['reviews', 'common']);
  const nameOf = (count: number) => t('common:stars', { count });
  return (
    <Card className="flex flex-col items-center gap-2">
      <h2 className="text-center text-heading">{t('reviews:question', { name })}</h2>
      <StarsInput label={t('reviews:stars')} value={stars} onChange={onChange} nameOf={nameOf} />
      <p
        role={missing ? 'alert' : undefined}
        className={missing ? 'text-small text-danger' : 'min-h-4.5 text-small font-semibold text-ink-2'}
      >
        {missing ? t('reviews:starsMissing') : stars > 0 && t(`reviews:scale.${stars as 1 | 2 | 3 | 4 | 5}`)}
      </p>
    </Card>
  );
}
