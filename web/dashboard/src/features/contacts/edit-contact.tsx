import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, buttonLook } from '../../../../parts/button.tsx';
import { Confirm } from '../../../../parts/dialog.tsx';
import { CheckField, sentence, TextField } from '../../../../parts/field.tsx';
import { FormDialog } from '../../../../parts/form-dialog.tsx';
import { common } from '../../../../texts/common.ts';
import { contacts as texts } from '../../../../texts/contacts.ts';
import { contactFields } from '../../api/contact-fields.ts';
import { LoadProblem } from '../../api/load-problem.tsx';
import type { ContactData } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { LabelSelect } from '../labels/label-select.tsx';
import { type LabelKind, useLabels } from '../labels/use-labels.ts';
import {
  type ContactFieldName,
  contactFieldNames,
  fieldLabels,
  inputTypeOf,
} from './contact-fields.ts';
import { nameOf } from './name-of.ts';
import { contactLists } from './queries.ts';
import { readWrittenPhone } from './written-phone.ts';

type Draft = Record<ContactFieldName, string> &
  Pick<ContactData, 'status_id' | 'source_id' | 'group_ids'>;

/** @param contact the one to change; a new one if left out */
export function EditContact({ contact, onClose }: { contact?: ContactData; onClose: () => void }) {
  const { slug, api } = useTenant();
  // The present contact: the list may have been open for a while.
  const present = useQuery({
    ...api.asked('/contacts/{id}', { path: { id: contact?.id ?? 0 } }),
    enabled: contact !== undefined,
    staleTime: 0,
    gcTime: 0,
    // Each read is an event of the tenant's webhook.
    refetchOnWindowFocus: false,
  });
  const opened = draftOf(present.data ?? contact);
  const [edits, setEdits] = useState<Partial<Draft>>({});
  const draft = { ...opened, ...edits };
  const change = (part: Partial<Draft>) => setEdits({ ...edits, ...part });
  const changes = changesOf(opened, draft);
  const [deleting, setDeleting] = useState(false);
  const { data: groups = [] } = useLabels('groups');
  const refresh = [...contactLists(api), api.key('/conversations')];

  const save = useAction(
    // Only the changed fields: other people may have changed the rest.
    () =>
      contact
        ? api.put('/contacts/{id}', { path: { id: contact.id }, body: changes })
        : api.post('/contacts', { body: { ...draft, ...changes } }),
    { done: contact ? texts.saved : texts.created, refresh, onDone: onClose },
  );
  const remove = useAction(() => api.delete('/contacts/{id}', { path: { id: contact!.id } }), {
    done: texts.deleted(1),
    refresh,
    onDone: onClose,
  });

  const textFields = contactFields.map((field) => {
    const { name, isRequired } = field;
    return (
      <TextField
        key={name}
        label={fieldLabels[name]}
        hint={name === 'phone' && !save.errors.phone ? texts.phoneHint : undefined}
        errors={save.errors[name]}
        type={inputTypeOf(field)}
        required={isRequired}
        optional={!isRequired}
        value={draft[name]}
        maxLength={255}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    );
  });
  const choice = (name: 'status_id' | 'source_id', kind: LabelKind, label: string) => (
    <LabelSelect
      kind={kind}
      label={label}
      errors={save.errors[name]}
      value={draft[name]}
      onChange={(value) => change({ [name]: value })}
    />
  );
  return (
    <FormDialog
      title={contact ? nameOf(contact) : texts.newTitle}
      onClose={onClose}
      wide
      submit={common.save}
      besides={
        contact && (
          <div className="mr-auto flex basis-full gap-2 sm:basis-auto">
            <Button onClick={() => setDeleting(true)}>{common.delete}</Button>
            <Link
              to="/t/$tenant/conversations"
              params={{ tenant: slug }}
              search={{ phone: contact.phone }}
              className={buttonLook('plain')}
            >
              {texts.conversation}
            </Link>
          </div>
        )
      }
      busy={save.busy}
      disabled={contact && Object.keys(changes).length === 0}
      onSubmit={save.run}
    >
      {present.error && <LoadProblem error={present.error} />}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {textFields}
        {choice('status_id', 'statuses', texts.status)}
        {choice('source_id', 'sources', texts.source)}
      </div>
      <fieldset>
        <legend className="text-sm font-medium">{texts.groups}</legend>
        {save.errors.group_ids && (
          <p className="text-sm text-bad">{sentence(save.errors.group_ids)}</p>
        )}
        {groups.length === 0 ? (
          <p className="text-sm text-muted">{texts.noGroups}</p>
        ) : (
          <div className="mt-1 flex max-h-40 flex-wrap gap-x-5 gap-y-1 overflow-y-auto">
            {groups.map(({ id, name }) => (
              <CheckField
                key={id}
                label={name}
                checked={draft.group_ids.includes(id)}
                onChange={(event) =>
                  change({
                    group_ids: event.target.checked
                      ? inOrder([...draft.group_ids, id])
                      : draft.group_ids.filter((each) => each !== id),
                  })
                }
              />
            ))}
          </div>
        )}
      </fieldset>

      {contact && (
        <Confirm
          title={texts.deleteOne(nameOf(contact))}
          description={texts.deleteText}
          action={common.delete}
          open={deleting}
          onClose={() => setDeleting(false)}
          onConfirm={() => remove.finish()}
        />
      )}
    </FormDialog>
  );
}

function draftOf(contact: ContactData | undefined): Draft {
  return {
    ...(Object.fromEntries(
      contactFieldNames.map((name) => [name, contact?.[name] ?? '']),
    ) as Record<ContactFieldName, string>),
    status_id: contact?.status_id ?? null,
    source_id: contact?.source_id ?? null,
    group_ids: inOrder(contact?.group_ids ?? []),
  };
}

/** Picks the fields of a draft that differ from the opened contact, in the form in which they are saved. */
function changesOf(opened: Draft, draft: Draft): Partial<Draft> {
  const wanted = {
    ...draft,
    firstname: draft.firstname.trim(),
    phone: readWrittenPhone(draft.phone),
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) => String(value) !== String(opened[name as keyof Draft]),
    ),
  );
}

function inOrder(ids: number[]): number[] {
  return ids.toSorted((a, b) => a - b);
}
