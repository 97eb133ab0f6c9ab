import { Link } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { memo, useState } from 'react';
import { Button, IconButton } from '../../../../parts/buttons/button.tsx';
import { Confirm } from '../../../../parts/overlays/dialog.tsx';
import { Card, Page } from '../../../../parts/page/page.tsx';
import { Row } from '../../../../parts/page/row.tsx';
import { common } from '../../../../texts/common.ts';
import { labels as t } from '../../../../texts/labels.ts';
import { Loaded } from '../../api/loaded.tsx';
import type { LabelData } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { contactViews } from '../contacts/queries.ts';
import { EditLabel } from './edit-label.tsx';
import { StatusDot } from './status-dot.tsx';
import { type LabelKind, useLabels } from './use-labels.ts';

export function LabelsPage() {
  return (
    <Page title={t('title')} intro={t('intro')}>
      <Labels kind="statuses" />
      <Labels kind="sources" />
      <Labels kind="groups" />
    </Page>
  );
}

function Labels({ kind }: { kind: LabelKind }) {
  const { slug, api } = useTenant();
  const labels = useLabels(kind);
  const [editing, setEditing] = useState<LabelData | 'new'>();
  const [deleting, setDeleting] = useState<LabelData>();
  const remove = useAction(
    (label: LabelData) => api.delete(`/${kind}/{id}`, { path: { id: label.id } }),
    {
      done: t('deleted'),
      refresh: [api.key(`/${kind}`), ...contactViews(api)],
    },
  );
  return (
    <Card
      title={t(`kinds.${kind}.title`)}
      intro={t(`kinds.${kind}.intro`)}
      actions={<Button onClick={() => setEditing('new')}>{t(`kinds.${kind}.add`)}</Button>}
      flush
    >
      <Loaded
        query={labels}
        lines={3}
        inset="px-5 pb-5"
        isEmpty={labels.data?.length === 0}
        empty={<p className="px-5 pb-5 text-muted">{t(`kinds.${kind}.empty`)}</p>}
      >
        {(found) => (
          <ul className="border-t border-line">
            {found.map((label) => (
              <Label
                key={label.id}
                slug={slug}
                kind={kind}
                label={label}
                onEdit={setEditing}
                onDelete={setDeleting}
              />
            ))}
          </ul>
        )}
      </Loaded>
      {editing && (
        <EditLabel
          kind={kind}
          label={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && (
        <Confirm
          title={t('deleteTitle', { name: deleting.name })}
          description={t('deleteText')}
          action={common('delete')}
          open
          onClose={() => setDeleting(undefined)}
          onConfirm={() => remove.finish(deleting)}
        />
      )}
    </Card>
  );
}

const filterOf = { statuses: 'status', sources: 'source', groups: 'group' } as const;

/** A label. Drawn only if it has changed and is in sight, because a tenant can have a thousand of a kind. */
const Label = memo(function Label({
  slug,
  kind,
  label,
  onEdit,
  onDelete,
}: {
  slug: string;
  kind: LabelKind;
  label: LabelData;
  onEdit: (label: LabelData) => void;
  onDelete: (label: LabelData) => void;
}) {
  return (
    <Row
      className={`flex items-center gap-3 px-5 py-2.5 [content-visibility:auto] ${label.description ? '[contain-intrinsic-height:auto_2.75rem]' : '[contain-intrinsic-height:auto_2.25rem]'}`}
    >
      {kind === 'statuses' && <StatusDot status={label} size="size-3" />}
      <div className="min-w-0 grow">
        <Link
          to="/t/$tenant/contacts"
          params={{ tenant: slug }}
          search={{ [filterOf[kind]]: label.id }}
          title={t('showContacts')}
          className="break-words hover:underline"
        >
          <bdi>{label.name}</bdi>
        </Link>
        {label.description && (
          <p dir="auto" className="break-words text-left text-sm text-muted">
            {label.description}
          </p>
        )}
      </div>
      <IconButton label={common('editNamed', { name: label.name })} onClick={() => onEdit(label)}>
        <Pencil className="size-4" aria-hidden />
      </IconButton>
      <IconButton
        label={common('deleteNamed', { name: label.name })}
        onClick={() => onDelete(label)}
      >
        <Trash2 className="size-4" aria-hidden />
      </IconButton>
    </Row>
  );
});
