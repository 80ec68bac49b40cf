import { Search, X } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/button.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import type { PlaceSearch } from './place-search.ts';

/** The box to type a place in; arrow keys and Enter choose among the results below it. */
export function SearchBox({ search, label }: { search: PlaceSearch; label: string }) {
  const { t } = useTranslation('common');
  const input = useRef<HTMLInputElement>(null);
  const open = search.places.length > 0;
  return (
    <TextInput
      ref={input}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- typing is what this page is opened for
      autoFocus
      type="text"
      inputMode="search"
      enterKeyHint="search"
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
      maxLength={200}
      // A datalist can show neither icons nor a second line.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="combobox"
      aria-label={label}
      aria-autocomplete="list"
      aria-expanded={open}
      aria-controls={search.listId}
      {...(open ? { 'aria-activedescendant': search.optionId(search.active) } : {})}
      placeholder={label}
      value={search.text}
      onChange={(event) => search.setText(event.target.value)}
      onKeyDown={search.onKeyDown}
      before={<Search aria-hidden className="size-5" />}
      after={
        search.text !== '' && (
          <IconButton
            label={t('clearSearch')}
            icon={<X aria-hidden className="size-5" />}
            onClick={() => {
              search.setText('');
              input.current?.focus();
            }}
          />
        )
      }
    />
  );
}
