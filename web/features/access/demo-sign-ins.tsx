import { CarFront, ShieldCheck, UserRound, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { login } from '#contract/access/endpoints.ts';
import { useConfig, type Config } from '../../core/config.ts';
import { useAction } from '../../core/queries.ts';
import { signIn } from '../../core/session.ts';
import { List, ListRow, Section } from '../../ui/surfaces.tsx';
import { forgetDraft } from './draft.ts';

type Role = Config['demoSignIns'][number]['role'];
const icons: Record<Role, LucideIcon> = { driver: CarFront, passenger: UserRound, admin: ShieldCheck };

/** One tap into the demo community; nothing where there is none. */
export function DemoSignIns() {
  const { t } = useTranslation('access');
  const { data: config } = useConfig();
  const [entering, setEntering] = useState<Role | null>(null);
  const enter = useAction(login, {
    onDone: (user) => {
      forgetDraft();
      signIn(user);
    },
  });
  const people = config?.demoSignIns ?? [];
  if (people.length === 0) return null;
  return (
    <Section title={t('demo.title')}>
      <List>
        {people.map(({ role, name, email, password }) => {
          const Icon = icons[role];
          return (
            <ListRow
              key={role}
              leading={<Icon aria-hidden />}
              title={t('demo.continueAs', { name: name.split(' ')[0] ?? name, role: t(`demo.${role}`) })}
              chevron
              disabled={enter.busy && entering === role}
              onClick={() => {
                setEntering(role);
                enter.run({ email, password });
              }}
            />
          );
        })}
      </List>
    </Section>
  );
}
