import { useState } from 'react';
import type { ContactsDoneData } from '../../../../src/contacts/dashboard-schema.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { controlLook } from '../../parts/field.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useTenant } from '../../session.ts';
import { common } from '../../texts/common.ts';
import { contacts as texts } from '../../texts/contacts.ts';
import { type LabelKind, useLabels } from '../labels/use-labels.ts';

/** What can be done to the contacts that are ticked. */
export function BulkBar({ ids, onDone }: { ids: number[]; onDone: () => void }) {
  const { api, key } = useTenant();
  const [deleting, setDeleting] = useState(false);
  const refresh = [key('contacts')];
  const assign = useAction(
    (change: object) => api.post<ContactsDoneData>('/contacts/assign', { ids, ...change }),
    { done: ({ contacts }) => texts.changed(contacts), refresh, onDone },
  );
  const remove = useAction(() => api.post<ContactsDoneData>('/contacts/delete', { ids }), {
    done: ({ contacts }) => texts.deleted(contacts),
    refresh,
    onDone,
  });
  const choice = (label: string, kind: LabelKind, field: string, orNone: boolean) => (
    <LabelChoice
      label={label}
      kind={kind}
      orNone={orNone}
      disabled={assign.busy}
      onChoose={(value) => assign.run({ [field]: value })}
    />
  );
  return (
    <section
      aria-label={texts.selected(ids.length)}
      className="rise sticky bottom-3 z-20 flex flex-wrap items-center gap-2 rounded-xl border border-line bg-raised px-4 py-2.5 shadow-pop"
    >
      <p className="mr-auto font-medium">{texts.selected(ids.length)}</p>
      {choice(texts.setStatus, 'statuses', 'status_id', true)}
      {choice(texts.setSource, 'sources', 'source_id', true)}
      {choice(texts.addGroup, 'groups', 'add_group_id', false)}
      {choice(texts.removeGroup, 'groups', 'remove_group_id', false)}
      <Button small onClick={() => setDeleting(true)}>
        {common.delete}
      </Button>
      <Button small look="quiet" onClick={onDone}>
        {texts.deselect}
      </Button>
      <Confirm
        title={texts.deleteMany(ids.length)}
        description={texts.deleteText}
        action={common.delete}
        open={deleting}
        onClose={() => setDeleting(false)}
        onConfirm={() => remove.finish()}
      />
    </section>
  );
}

function LabelChoice({
  label,
  kind,
  orNone,
  disabled,
  onChoose,
}: {
  label: string;
  kind: LabelKind;
  orNone: boolean;
  disabled: boolean;
  onChoose: (id: number | null) => void;
}) {
  const { data = [] } = useLabels(kind);
  return (
    <select
      aria-label={label}
      value=""
      disabled={disabled}
      onChange={(event) =>
        onChoose(event.target.value === 'none' ? null : Number(event.target.value))
      }
      className={`${controlLook} h-8 max-w-40 text-sm`}
    >
      <option value="" disabled>
        {label}
      </option>
      {orNone && <option value="none">{common.none}</option>}
      {data.map((each) => (
        <option key={each.id} value={each.id}>
          {each.name}
        </option>
      ))}
    </select>
  );
}
