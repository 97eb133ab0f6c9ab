import type { Config } from '../config.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError, invalid, notFound } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import { success } from '../platform/http/success.ts';
import { idFrom } from '../platform/values/id.ts';
import type { TenantApi } from '../tenants/api/tenant-api.ts';
import { changeMember } from './change-member.ts';
import { type Member, onlyOwners } from './dashboard-api.ts';
import { ChangeRole, Done, InvitedMember, InviteMember, Members } from './dashboard-schema.ts';
import { inviteMember } from './invite-member.ts';
import {
  type InvitationRow,
  listInvitations,
  listMembers,
  type MemberRow,
  type Role,
} from './queries.ts';
import { withdrawInvitation } from './withdraw-invitation.ts';

const onlyOwner = fault(
  'only_owner',
  'This is the only owner. Make another member an owner first.',
);

/** Adds the routes of a tenant's members and invitations. */
export function memberRoutes(api: TenantApi, services: { db: Database; config: Config }): void {
  const { db } = services;

  api.get('/members', { schema: { response: { 200: Members } } }, async ({ db: reads, member }) => {
    const [members, invitations] = await Promise.all([
      listMembers(reads, member.tenantId),
      listInvitations(reads, member.tenantId),
    ]);
    return success({
      data: {
        members: members.map((row) => presentMember(row, member)),
        invitations: invitations.map(presentInvitation),
      },
    });
  });

  api.post(
    '/members/invitations',
    { config: { owner: true }, schema: { body: InviteMember, response: { 200: InvitedMember } } },
    async ({ member, body }) => {
      const { url, invitation } = await inviteMember(services, member.tenantId, {
        ...body,
        byOperator: false,
      });
      return success({ data: { url, invitation: presentInvitation(invitation) } });
    },
  );

  api.delete(
    '/members/invitations/:id',
    { config: { owner: true }, schema: { response: { 200: Done } } },
    async ({ member, params }) => {
      if (!(await withdrawInvitation(db, member.tenantId, idFrom(params)))) throw notFound();
      return success({ message: 'The link no longer works.' });
    },
  );

  api.put(
    '/members/:user_id',
    { config: { owner: true }, schema: { body: ChangeRole, response: { 200: Done } } },
    async ({ member, params, body }) => {
      await change(member, (params as { user_id: string }).user_id, body.role);
      return success({ message: 'The role was changed.' });
    },
  );

  api.delete(
    '/members/:user_id',
    { config: { owner: true }, schema: { response: { 200: Done } } },
    async ({ member, params }) => {
      await change(member, (params as { user_id: string }).user_id, null);
      return success({ message: 'The person is no longer a member.' });
    },
  );

  async function change(by: Member, userId: string, role: Role | null): Promise<void> {
    const outcome = await changeMember(db, by.tenantId, userId, role, by.userId);
    if (outcome === 'no-owner') throw onlyOwners();
    if (outcome === 'missing') throw notFound();
    if (outcome === 'last-owner') {
      if (role === null) throw new ApiError('invalid', { message: onlyOwner });
      throw invalid({
        role: [
          fault(
            'only_owner_role',
            'cannot be changed: this is the only owner. Make another member an owner first',
          ),
        ],
      });
    }
  }
}

function presentMember(row: MemberRow, { userId }: Member) {
  return {
    ...row,
    is_you: row.user_id === userId,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
  };
}

function presentInvitation({ id, email, role, created_at, expires_at }: InvitationRow) {
  return {
    id,
    email,
    role,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  };
}
