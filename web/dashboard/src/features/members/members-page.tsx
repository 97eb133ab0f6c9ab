import { useState } from 'react';
import { Button } from '../../../../parts/buttons/button.tsx';
import { AskFirst } from '../../../../parts/overlays/ask-first.tsx';
import { ChoiceMenu } from '../../../../parts/overlays/choice-menu.tsx';
import { Ago } from '../../../../parts/page/ago.tsx';
import { Badge } from '../../../../parts/page/badge.tsx';
import { Card, Page } from '../../../../parts/page/page.tsx';
import { Row } from '../../../../parts/page/row.tsx';
import { members as t } from '../../../../texts/members.ts';
import { Loaded } from '../../api/loaded.tsx';
import type { MembersData, Role } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
import { sessionQuery, useTenant } from '../../session.ts';
import { usePageCommand } from '../../shell/commands/page-commands.ts';
import { InviteMember } from './invite-member.tsx';
import { useMembers } from './use-members.ts';

export function MembersPage() {
  const { can } = useTenant();
  const [inviting, setInviting] = useState(false);
  usePageCommand('invite-member', () => setInviting(true));
  const members = useMembers();
  return (
    <Page
      title={t('title')}
      intro={t('intro')}
      actions={
        can('members:write') && (
          <Button look="primary" onClick={() => setInviting(true)}>
            {t('invite')}
          </Button>
        )
      }
    >
      <Loaded query={members} lines={3}>
        {(data) => (
          <Card flush>
            <ul>
              {data.members.map((member) => (
                <Member key={member.user_id} member={member} />
              ))}
            </ul>
          </Card>
        )}
      </Loaded>
      <p className="text-sm text-muted">{t('rolesHint')}</p>
      {members.data && members.data.invitations.length > 0 && (
        <Invitations invitations={members.data.invitations} />
      )}
      {inviting && <InviteMember onClose={() => setInviting(false)} />}
    </Page>
  );
}

function Member({ member }: { member: MembersData['members'][number] }) {
  const { api, can } = useTenant();
  const path = { user_id: member.user_id };
  const changeRole = useAction(
    (role: Role) => api.put('/members/{user_id}', { path, body: { role } }),
    {
      done: t('roleChanged'),
      refresh: [api.key('/members'), sessionQuery.queryKey],
    },
  );
  const remove = useAction(() => api.delete('/members/{user_id}', { path }), {
    done: t('removed'),
    refresh: [api.key('/members')],
  });
  return (
    <Row className="flex flex-wrap items-center justify-between gap-3 px-5 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          <bdi className="min-w-0 wrap-anywhere">{member.name}</bdi>
          {member.is_you && <Badge>{t('you')}</Badge>}
          {member.two_factor && <Badge tone="good">{t('twoFactor')}</Badge>}
        </p>
        <p className="break-words text-sm text-muted">
          {t.rich(member.last_seen_at ? 'lastSeen' : 'neverSeen', {
            email: member.email,
            ago: () => member.last_seen_at && <Ago at={member.last_seen_at} />,
          })}
        </p>
      </div>
      {can('members:write') ? (
        <div className="flex gap-2">
          <ChoiceMenu
            choices={(['owner', 'staff'] as const).map((role) => ({
              value: role,
              words: t(`roles.${role}`),
            }))}
            value={member.role}
            busy={changeRole.busy}
            onChoose={changeRole.run}
          >
            <span className="sr-only">{t('roleOf', { name: member.name })}</span>
            {t(`roles.${member.role}`)}
          </ChoiceMenu>
          <AskFirst
            title={t('removeTitle', { name: member.name })}
            description={t('removeText')}
            action={t('remove')}
            onConfirm={() => remove.finish()}
          >
            {(ask) => (
              <Button small aria-label={t('removeNamed', { name: member.name })} onClick={ask}>
                {t('remove')}
              </Button>
            )}
          </AskFirst>
        </div>
      ) : (
        <Badge>{t(`roles.${member.role}`)}</Badge>
      )}
    </Row>
  );
}

function Invitations({ invitations }: { invitations: MembersData['invitations'] }) {
  const { api, can } = useTenant();
  const withdraw = useAction(
    (id: number) => api.delete('/members/invitations/{id}', { path: { id } }),
    {
      done: t('withdrawn'),
      refresh: [api.key('/members')],
    },
  );
  return (
    <Card title={t('open')} flush>
      <ul className="border-t border-line">
        {invitations.map((invitation) => (
          <Row
            key={invitation.id}
            className="flex flex-wrap items-center justify-between gap-3 px-5 py-3"
          >
            <div className="min-w-0">
              <p className="break-words">{invitation.email}</p>
              <p className="text-sm text-muted">
                {t.rich('expires', {
                  role: t(`roles.${invitation.role}`),
                  ago: () => <Ago at={invitation.expires_at} />,
                })}
              </p>
            </div>
            {can('members:write') && (
              <Button
                small
                busy={withdraw.busy}
                aria-label={t('withdrawNamed', { email: invitation.email })}
                onClick={() => withdraw.run(invitation.id)}
              >
                {t('withdraw')}
              </Button>
            )}
          </Row>
        ))}
      </ul>
    </Card>
  );
}
