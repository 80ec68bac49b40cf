import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { rememberIntro } from '../../base/launch.ts';
import { Button } from '../../ui/button.tsx';
import { Page as Frame } from '../../ui/page.tsx';

export function Page() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const leave = () => {
    rememberIntro();
    void navigate({ to: '/', replace: true });
  };
  return (
    <Frame
      title={t('product')}
      action={
        <Button full onClick={leave}>
          {t('continue')}
        </Button>
      }
    >
      {null}
    </Frame>
  );
}
