import { Pencil } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { errorWords } from '../../core/errors.ts';
import { focusFirst } from '../../ui/focus.ts';
import { SearchField } from '../../ui/inputs.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState, List, ListRow } from '../../ui/surfaces.tsx';

/** A page to choose one name of a long list by searching, or to take what was typed. */
export function NamePicker({
  title,
  searchLabel,
  listLabel,
  chosen,
  typed,
  onTyped,
  names,
  error,
  onRetry,
  onPick,
}: {
  title: string;
  searchLabel: string;
  listLabel: string;
  chosen: string;
  typed: string;
  onTyped: (typed: string) => void;
  /** The names that contain what was typed; undefined while they are on their way. */
  names: readonly string[] | undefined;
  error: Error | null;
  onRetry: () => void;
  onPick: (name: string) => void;
}) {
  const { t } = useTranslation(['vehicles', 'common']);
  const text = typed.trim();
  const isListed = names?.some((name) => name.toLowerCase() === text.toLowerCase()) ?? true;
  return (
    <PageLayout
      title={title}
      back
      header={
        <SearchField
          value={typed}
          onChange={onTyped}
          label={searchLabel}
          clearLabel={t('common:clearSearch')}
          ref={focusFirst}
        />
      }
    >
      {names === undefined && error !== null && (
        <ErrorState
          title={t('vehicles:picker.failed')}
          text={errorWords(error)}
          retryLabel={t('common:retry')}
          onRetry={onRetry}
        />
      )}
      {names === undefined && error === null && <Skeleton label={t('common:loading')} rows={6} />}
      {names?.length === 0 && (
        <output className="block text-body text-ink-2">{t('vehicles:picker.none')}</output>
      )}
      {names !== undefined && names.length > 0 && (
        <List label={listLabel}>
          {names.map((name) => (
            <ListRow
              key={name}
              title={name === chosen ? <span className="font-semibold text-brand-ink">{name}</span> : name}
              onClick={() => onPick(name)}
            />
          ))}
        </List>
      )}
      {text !== '' && !isListed && <TypedName text={text} onPick={onPick} />}
      {text === '' && <p className="px-1 text-small text-ink-3">{t('vehicles:picker.other')}</p>}
    </PageLayout>
  );
}

/** Takes what was typed, though no list has it. */
function TypedName({ text, onPick }: { text: string; onPick: (name: string) => void }) {
  const { t } = useTranslation('vehicles');
  return (
    <List>
      <ListRow
        leading={<Pencil aria-hidden className="size-5 text-ink-2" />}
        title={t('picker.useTyped', { text })}
        detail={t('picker.useTypedText')}
        chevron
        onClick={() => onPick(text)}
      />
    </List>
  );
}
