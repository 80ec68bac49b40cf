import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/button.tsx';
import { TextInput, type TextInputProps } from '../../ui/inputs.tsx';

/**
 * A password with a button that shows what was typed. `autoComplete` tells password managers which one is
 * meant.
 */
export function PasswordInput(
  props: Omit<TextInputProps, 'type' | 'after' | 'before'> & {
    autoComplete: 'current-password' | 'new-password';
  },
) {
  const { t } = useTranslation('access');
  const [shown, setShown] = useState(false);
  return (
    <TextInput
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      after={
        <IconButton
          label={t(shown ? 'hidePassword' : 'showPassword')}
          icon={shown ? <EyeOff aria-hidden className="size-5" /> : <Eye aria-hidden className="size-5" />}
          onClick={() => setShown(!shown)}
        />
      }
    />
  );
}
