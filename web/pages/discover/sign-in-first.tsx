import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { buttonVariants } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

/** What a guest finds behind a sign-in here, and the way back after it. */
export function SignInFirst({
  icon,
  title,
  text,
  returnTo,
}: {
  icon: ReactNode;
  title: string;
  text: string;
  returnTo: string;
}) {
  const { t } = useTranslation('alerts');
  return (
    <EmptyState
      icon={icon}
      title={title}
      text={text}
      action={
        <Link to="/pages/auth/auth" search={{ returnTo }} className={buttonVariants({ small: true })}>
          {t('list.signIn')}
        </Link>
      }
    />
  );
}
