import { Briefcase, House, MapPin, Star } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createAddress, deleteAddress, shortcutLabels, updateAddress } from '#contract/geo/endpoints.ts';
import { fieldWords, type Refused } from '../../core/errors.ts';
import { useAction } from '../../core/queries.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { Chip } from '../../ui/chips.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Field, useFieldGroup } from '../../ui/field.tsx';
import { PickerRow, TextInput } from '../../ui/inputs.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useShortcutName } from './saved-places.tsx';
import { beginShortcut, useShortcutDraft, type ShortcutDraft } from './shortcut-draft.ts';

const icons = { home: House, work: Briefcase, other: MapPin, labeled: Star };
type Problems = Partial<Record<'labelText' | 'place', string>>;

/** Saving a shortcut or deleting it, and what is wrong with it. */
function useSaveShortcut(draft: ShortcutDraft, onDone: () => void) {
  const { t } = useTranslation(['geo', 'common']);
  const [problems, setProblems] = useState<Problems>({});
  const finish = (words: string) => {
    beginShortcut({ label: 'home' });
    toast.done(words);
    onDone();
  };
  const outcome = {
    invalidates: ['/address/'],
    onDone: () => finish(t('common:saved')),
    onRefused: (refused: Refused) => {
      const [why] = Object.values(refused.fields);
      if (why !== undefined) setProblems({ place: fieldWords(why) });
      return why !== undefined;
    },
  };
  const create = useAction(createAddress, outcome);
  const update = useAction(updateAddress, outcome);
  const remove = useAction(deleteAddress, {
    invalidates: ['/address/'],
    onDone: () => finish(t('geo:editor.deleted')),
  });

  const save = () => {
    const { id, place, label } = draft;
    const labelText = label === 'labeled' ? draft.labelText.trim() : '';
    const found: Problems = {
      ...(label === 'labeled' && labelText === '' ? { labelText: t('geo:editor.ownLabelMissing') } : {}),
      ...(place === null ? { place: t('geo:editor.placeMissing') } : {}),
    };
    setProblems(found);
    if (place === null || found.labelText !== undefined) return;
    const fields = { ...place, label, labelText };
    if (id === '') create.run(fields);
    else update.run({ ...fields, id });
  };
  return { problems, setProblems, busy: create.busy || update.busy, save, remove };
}

/** One shortcut: its label and its place; saved, changed or deleted. */
export function ShortcutForm({ onChoose, onDone }: { onChoose: () => void; onDone: () => void }) {
  const { t } = useTranslation(['geo', 'common']);
  const nameOf = useShortcutName();
  const [draft, change] = useShortcutDraft();
  const [deleting, setDeleting] = useState(false);
  const { problems, setProblems, busy, save, remove } = useSaveShortcut(draft, onDone);

  return (
    <PageLayout
      title={t(draft.id === '' ? 'geo:editor.new' : 'geo:editor.edit')}
      back
      action={
        <Button full busy={busy} onClick={save}>
          {t('geo:editor.save')}
        </Button>
      }
    >
      <Field label={t('geo:editor.label')}>
        <LabelChips
          label={draft.label}
          onChange={(label) => {
            change({ label });
            setProblems({});
          }}
        />
      </Field>
      {draft.label === 'labeled' && (
        <Field
          label={t('geo:editor.ownLabel')}
          hint={t('geo:editor.ownLabelHint')}
          error={problems.labelText}
        >
          <TextInput
            value={draft.labelText}
            maxLength={40}
            autoComplete="off"
            onChange={(event) => {
              change({ labelText: event.target.value });
              setProblems((left) => (left.place === undefined ? {} : { place: left.place }));
            }}
          />
        </Field>
      )}
      <Field label={t('geo:editor.place')} error={problems.place}>
        <PickerRow
          value={
            draft.place === null ? '' : [draft.place.name, draft.place.detail].filter(Boolean).join(', ')
          }
          placeholder={t('geo:choose.shortcut')}
          icon={<MapPin aria-hidden className="size-5 shrink-0 text-ink-2" />}
          onClick={onChoose}
        />
      </Field>
      {draft.id !== '' && (
        <TextButton tone="danger" className="self-start" onClick={() => setDeleting(true)}>
          {t('geo:editor.delete')}
        </TextButton>
      )}
      <Confirm
        open={deleting}
        onOpenChange={setDeleting}
        title={t('geo:editor.deleteTitle', { name: nameOf(draft) })}
        text={t('geo:editor.deleteText')}
        confirmLabel={t('common:delete')}
        cancelLabel={t('geo:editor.keep')}
        busy={remove.busy}
        onConfirm={() => remove.run({ id: draft.id })}
      />
    </PageLayout>
  );
}

function LabelChips({
  label,
  onChange,
}: {
  label: ShortcutDraft['label'];
  onChange: (label: ShortcutDraft['label']) => void;
}) {
  const { t } = useTranslation('geo');
  return (
    <fieldset {...useFieldGroup()} className="flex min-w-0 flex-wrap gap-2">
      {shortcutLabels.map((each) => {
        const Icon = icons[each];
        return (
          <Chip
            key={each}
            selected={each === label}
            icon={<Icon aria-hidden className="size-5" />}
            onClick={() => onChange(each)}
          >
            {t(`label.${each}`)}
          </Chip>
        );
      })}
    </fieldset>
  );
}
