import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button, buttonLook } from '../../../../../parts/buttons/button.tsx';
import { CheckGroup, Checks, inOrder } from '../../../../../parts/fields/check-group.tsx';
import { TextField } from '../../../../../parts/fields/field.tsx';
import { AskFirst } from '../../../../../parts/overlays/ask-first.tsx';
import { common } from '../../../../../texts/common.ts';
import { contacts as t } from '../../../../../texts/contacts.ts';
import { contactFields } from '../../../api/contact-fields.ts';
import { LoadProblem } from '../../../api/load-problem.tsx';
import type { ContactData } from '../../../api/records.ts';
import { useAction } from '../../../api/use-action.ts';
import { FormDialog } from '../../../form/form-dialog.tsx';
import { useForm } from '../../../form/use-form.ts';
import { useTenant } from '../../../session.ts';
import { LabelSelect } from '../../labels/label-select.tsx';
import { useLabels } from '../../labels/use-labels.ts';
import { identityOf } from '../../messages/conversations/identity.ts';
import { type ContactFieldName, contactFieldNames, inputTypeOf } from '../contact-fields.ts';
import { nameOf } from '../name-of.ts';
import { contactQuery, contactViews } from '../queries.ts';
import { readWrittenPhone } from '../written-phone.ts';
import { MetadataFields } from './metadata-fields.tsx';
import { rebaseList, rebaseValues } from './rebase.ts';

type Values = Record<ContactFieldName, string> &
  Pick<ContactData, 'status_id' | 'source_id' | 'group_ids' | 'metadata'>;

/**
 * @param contact the one to change; a new one if left out
 * @param inConversation whether it is opened over its conversation
 */
export function EditContact({
  contact,
  inConversation = false,
  onClose,
}: {
  contact?: ContactData | undefined;
  inConversation?: boolean | undefined;
  onClose: () => void;
}) {
  const { slug, api } = useTenant();
  // The present contact: the list may have been open for a while.
  const present = useQuery({
    ...contactQuery(api, contact?.id ?? 0),
    enabled: contact !== undefined,
  });
  const { data: groups = [] } = useLabels('groups');
  const refresh = contactViews(api);

  const saved = valuesOf(present.data ?? contact);
  const form = useForm({
    values: saved,
    clean: (values) => ({
      ...values,
      firstname: values.firstname.trim(),
      phone: readWrittenPhone(values.phone),
    }),
    save: async (changes, values) =>
      contact
        ? api.put('/contacts/{id}', {
            path: { id: contact.id },
            body: await withoutOverwriting(changes, contact.id),
          })
        : api.post('/contacts', { body: values }),
    done: contact ? t('saved') : t('created'),
    refresh,
    onDone: onClose,
  });

  /** The service replaces groups and metadata as a whole, so what others changed in them meanwhile is read first. */
  async function withoutOverwriting(
    { group_ids, metadata, ...changes }: Partial<Values>,
    id: number,
  ) {
    if (!group_ids && !metadata) return changes;
    const now = await api.get('/contacts/{id}', { path: { id } });
    return {
      ...changes,
      ...(group_ids && { group_ids: rebaseList(saved.group_ids, group_ids, now.group_ids) }),
      ...(metadata && { metadata: rebaseValues(saved.metadata, metadata, now.metadata) }),
    };
  }

  const remove = useAction(() => api.delete('/contacts/{id}', { path: { id: contact!.id } }), {
    done: t('deleted', { count: 1 }),
    refresh,
    onDone: onClose,
  });

  // WhatsApp hides the phones of some people.
  const isHidden = (name: string) => name === 'phone' && contact?.phone === null;
  const textFields = contactFields.map((field) => {
    const { name, isRequired } = field;
    const control = form.text(name);
    return (
      <TextField
        key={name}
        {...control}
        label={t(`fields.${name}`)}
        hint={name === 'phone' && !control.errors ? t('phoneHint') : undefined}
        type={inputTypeOf(field)}
        required={isRequired && !isHidden(name)}
        optional={!isRequired}
        maxLength={255}
      />
    );
  });
  return (
    <FormDialog
      form={form}
      title={contact ? nameOf(contact) : t('newTitle')}
      onClose={onClose}
      wide
      submit={common('save')}
      besides={
        contact && (
          <div className="mr-auto flex basis-full gap-2 sm:basis-auto">
            <AskFirst
              title={t('deleteOne', { name: nameOf(contact) })}
              description={t('deleteText')}
              action={common('delete')}
              onConfirm={() => remove.finish()}
            >
              {(ask) => <Button onClick={ask}>{common('delete')}</Button>}
            </AskFirst>
            {!inConversation && (
              <Link
                to="/t/$tenant/conversations"
                params={{ tenant: slug }}
                search={{ phone: identityOf(contact) }}
                className={buttonLook('plain')}
              >
                {t('conversation')}
              </Link>
            )}
          </div>
        )
      }
      disabled={contact && !form.isDirty}
    >
      {present.error && <LoadProblem error={present.error} />}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {textFields}
        <LabelSelect {...form.field('status_id')} kind="statuses" label={t('status')} />
        <LabelSelect {...form.field('source_id')} kind="sources" label={t('source')} />
      </div>
      <CheckGroup legend={t('groups')} errors={form.errorsOf('group_ids')}>
        {groups.length === 0 ? (
          <p className="text-sm text-muted">{t('noGroups')}</p>
        ) : (
          <div className="mt-1 flex max-h-40 flex-wrap gap-x-5 gap-y-1 overflow-y-auto">
            <Checks
              {...form.field('group_ids')}
              choices={groups.map(({ id, name }) => ({ value: id, label: name }))}
            />
          </div>
        )}
      </CheckGroup>
      <MetadataFields
        // The rows begin with the present values.
        key={present.data?.updated_at}
        {...form.field('metadata')}
        errors={form.errorsOf('metadata')}
      />
    </FormDialog>
  );
}

function valuesOf(contact: ContactData | undefined): Values {
  return {
    ...(Object.fromEntries(
      contactFieldNames.map((name) => [name, contact?.[name] ?? '']),
    ) as Record<ContactFieldName, string>),
    status_id: contact?.status_id ?? null,
    source_id: contact?.source_id ?? null,
    group_ids: inOrder(contact?.group_ids ?? []),
    metadata: contact?.metadata ?? {},
  };
}
