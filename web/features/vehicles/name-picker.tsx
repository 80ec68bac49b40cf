import { Pencil } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { QueryView, type Read } from '../../core/query-view.tsx';
import { focusFirst } from '../../ui/focus.ts';
import { SearchField } from '../../ui/inputs.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { List, ListRow } from '../../ui/surfaces.tsx';

/** A page to choose one name of a long list by searching, or to take what was typed. */
export function NamePicker({
  title,
  searchLabel,
  listLabel,
  chosen,
  typed,
  onTyped,
  read,
  onPick,
}: {
  title: string;
  searchLabel: string;
  listLabel: string;
  chosen: string;
  typed: string;
  onTyped: (typed: string) => void;
  /** The names that contain what was typed. */
  read: Read<readonly string[]>;
  onPick: (name: string) => void;
}) {
  const { t } = useTranslation(['vehicles', 'common']);
  const text = typed.trim();
  const isListed = read.data?.some((name) => name.toLowerCase() === text.toLowerCase()) ?? true;
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
      <QueryView query={read} failed={t('vehicles:picker.failed')} skeleton={{ rows: 6 }}>
        {(listed) =>
          listed.length === 0 ? (
            <output className="block text-body text-ink-2">{t('vehicles:picker.none')}</output>
          ) : (
            <List label={listLabel}>
              {listed.map((name) => (
                <ListRow
                  key={name}
                  title={
                    name === chosen ? <span className="font-semibold text-brand-ink">{name}</span> : name
                  }
                  onClick={() => onPick(name)}
                />
              ))}
            </List>
          )
        }
      </QueryView>
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
