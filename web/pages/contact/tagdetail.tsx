import { Link } from '@tanstack/react-router';
import { Pencil, Tag as TagIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteTag } from '#contract/contacts/endpoints.ts';
import { useGoBack, usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useAction } from '../../core/queries.ts';
import { TagMembers } from '../../features/contacts/tag-members.tsx';
import { TagNameDialog } from '../../features/contacts/tag-name-dialog.tsx';
import { WithContacts, type Tag } from '../../features/contacts/with-contacts.tsx';
import { buttonVariants, IconButton, TextButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** One tag: its name, who has it. */
export function Page() {
  const { t } = useTranslation('contacts');
  const { id } = usePageSearch('/pages/contact/tagdetail');
  return (
    <PageLayout title={usePageTitle()} back>
      <WithContacts>
        {(contacts, tags) => {
          const tag = tags.find((each) => each.id === id);
          if (tag === undefined) {
            return (
              <EmptyState
                icon={<TagIcon />}
                title={t('tags.gone')}
                action={
                  <Link
                    to="/pages/contact/tags"
                    replace
                    className={buttonVariants({ tone: 'quiet', small: true })}
                  >
                    {t('tags.toTags')}
                  </Link>
                }
              />
            );
          }
          return (
            <>
              <TagHead tag={tag} />
              <TagMembers tag={tag} contacts={contacts} tags={tags} />
              <DeleteTag tag={tag} />
            </>
          );
        }}
      </WithContacts>
    </PageLayout>
  );
}

function TagHead({ tag }: { tag: Tag }) {
  const { t } = useTranslation('contacts');
  const [naming, setNaming] = useState({ open: false, times: 0 });
  return (
    <div className="flex items-start justify-between gap-3">
      <div className="min-w-0">
        <h2 className="text-heading break-words">{tag.name}</h2>
        <p className="text-small text-ink-3">{t('tags.size', { count: tag.size })}</p>
      </div>
      <IconButton
        label={t('tags.rename')}
        icon={<Pencil aria-hidden />}
        onClick={() => setNaming(({ times }) => ({ open: true, times: times + 1 }))}
      />
      <TagNameDialog
        key={naming.times}
        tag={tag}
        open={naming.open}
        onOpenChange={(open) => setNaming(({ times }) => ({ open, times }))}
      />
    </div>
  );
}

function DeleteTag({ tag }: { tag: Tag }) {
  const { t } = useTranslation(['contacts', 'common']);
  const goBack = useGoBack();
  const [asking, setAsking] = useState(false);
  const remove = useAction(deleteTag, {
    invalidates: ['/tag/', '/contact/'],
    onDone: () => {
      setAsking(false);
      toast.done(t('contacts:tags.deleted'));
      goBack();
    },
  });
  return (
    <>
      <TextButton tone="danger" className="self-start" onClick={() => setAsking(true)}>
        {t('contacts:tags.delete')}
      </TextButton>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('contacts:tags.deleteTitle', { name: tag.name })}
        text={t('contacts:tags.deleteText')}
        confirmLabel={t('common:delete')}
        cancelLabel={t('contacts:tags.keep')}
        busy={remove.busy}
        onConfirm={() => remove.run({ id: tag.id })}
      />
    </>
  );
}
