import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import type { Plan } from '../tenants/plans.ts';
import type { Region } from '../tenants/region.ts';

export type Role = 'owner' | 'staff';

export type MemberRow = {
  user_id: string;
  email: string;
  name: string;
  role: Role;
  two_factor: boolean;
  created_at: Date;
  last_seen_at: Date | null;
};

type MembershipRow = { slug: string; name: string; role: Role } & Region;

/** Lists a person's tenants by name. */
export async function listMemberships(db: Db, userId: string): Promise<MembershipRow[]> {
  const { rows } = await db.query<MembershipRow>(sql`
    select t.slug, t.name, t.locale, t.time_zone, m.role from members m join tenants t on t.id = m.tenant_id
    where m.user_id = ${userId} order by t.name, t.slug`);
  return rows;
}

/** Finds a tenant by its slug, if the person is a member of it. */
export async function findMembership(db: Db, userId: string, slug: string) {
  const { rows } = await db.query<{
    tenant_id: number;
    slug: string;
    name: string;
    plan: Plan;
    role: Role;
  }>(sql`
    select t.id as tenant_id, t.slug, t.name, t.plan, m.role
    from tenants t join members m on m.tenant_id = t.id and m.user_id = ${userId}
    where t.slug = ${slug}`);
  return rows[0];
}

export async function listMembers(db: Db, tenantId: number): Promise<MemberRow[]> {
  const { rows } = await db.query<MemberRow>(sql`
    select m.user_id, u."email" as email, u."name" as name, m.role,
           coalesce(u."twoFactorEnabled", false) as two_factor, m.created_at,
           (select max(s."updatedAt") from auth."session" s where s."userId" = m.user_id)
             as last_seen_at
    from members m join auth."user" u on u."id" = m.user_id
    where m.tenant_id = ${tenantId} order by m.created_at, u."email"`);
  return rows;
}

type MembershipOfEmail = { tenant: string; role: Role; state: 'member' | 'invited'; since: Date };

/** Lists the tenants that have a member with this email or an open invitation for it, of all its accounts. */
export async function listMembershipsOf(db: Db, email: string): Promise<MembershipOfEmail[]> {
  const { rows } = await db.query<MembershipOfEmail>(sql`
    select t.slug as tenant, found.role, found.state, found.since
    from (
      select m.tenant_id, m.role, 'member' as state, m.created_at as since
      from members m join auth."user" u on u."id" = m.user_id where u."email" = ${email}
      union all
      select tenant_id, role, 'invited', created_at from invitations
      where email = ${email} and used_at is null and expires_at > now()
    ) as found
    join tenants t on t.id = found.tenant_id
    order by t.slug, found.since`);
  return rows;
}

/** Finds the member of a tenant with this email; there is at most one. */
export async function findMember(
  db: Db,
  tenantId: number,
  email: string,
): Promise<{ user_id: string; role: Role } | undefined> {
  const { rows } = await db.query<{ user_id: string; role: Role }>(sql`
    select m.user_id, m.role from members m join auth."user" u on u."id" = m.user_id
    where m.tenant_id = ${tenantId} and u."email" = ${email}`);
  return rows[0];
}

/** Makes a person a member. Can make an existing member an owner, but never lowers a role. */
export async function addMember(
  db: Db,
  tenantId: number,
  userId: string,
  role: Role,
): Promise<void> {
  await db.query(sql`
    insert into members (tenant_id, user_id, role) values (${tenantId}, ${userId}, ${role})
    on conflict (tenant_id, user_id) do update set role = excluded.role
    where excluded.role = 'owner'`);
}

/** Lists the members of a tenant, and locks them until the end of the transaction. */
export async function lockMembers(
  tx: Db,
  tenantId: number,
): Promise<{ user_id: string; role: Role }[]> {
  const { rows } = await tx.query<{ user_id: string; role: Role }>(sql`
    select user_id, role from members where tenant_id = ${tenantId} order by user_id for update`);
  return rows;
}

/** Finds the email of a member. */
export async function findEmail(
  db: Db,
  tenantId: number,
  userId: string,
): Promise<string | undefined> {
  const { rows } = await db.query<{ email: string }>(sql`
    select u."email" as email from members m join auth."user" u on u."id" = m.user_id
    where m.tenant_id = ${tenantId} and m.user_id = ${userId}`);
  return rows[0]?.email;
}

/** Sets the role of a member, whose row the transaction has locked. @returns the role before */
export async function setRole(
  tx: Db,
  tenantId: number,
  userId: string,
  role: Role,
): Promise<Role | undefined> {
  const { rows } = await tx.query<{ role: Role }>(sql`
    update members set role = ${role}
    from members as earlier
    where members.tenant_id = ${tenantId} and members.user_id = ${userId}
      and earlier.tenant_id = ${tenantId} and earlier.user_id = ${userId}
    returning earlier.role`);
  return rows[0]?.role;
}

export async function deleteMember(db: Db, tenantId: number, userId: string): Promise<void> {
  await db.query(sql`delete from members where tenant_id = ${tenantId} and user_id = ${userId}`);
}

export type InvitationRow = {
  id: number;
  tenant_id: number;
  email: string;
  role: Role;
  by_operator: boolean;
  created_at: Date;
  expires_at: Date;
};

/** Inserts an invitation, which replaces an unused one for the same email. */
export async function insertInvitation(
  db: Db,
  tenantId: number,
  invitation: {
    email: string;
    role: Role;
    tokenHash: Buffer;
    byOperator: boolean;
    validDays: number;
  },
): Promise<InvitationRow> {
  const { rows } = await db.query<InvitationRow>(sql`
    with replaced as (
      delete from invitations
      where tenant_id = ${tenantId} and email = ${invitation.email} and used_at is null
    )
    insert into invitations (tenant_id, email, role, token_hash, by_operator, expires_at)
    values (${tenantId}, ${invitation.email}, ${invitation.role}, ${invitation.tokenHash},
            ${invitation.byOperator}, now() + ${invitation.validDays}::int * interval '1 day')
    returning id, tenant_id, email, role, by_operator, created_at, expires_at`);
  return rows[0]!;
}

/** Counts the members and open invitations of a tenant, without an invitation for this email. */
export async function countPeople(db: Db, tenantId: number, email: string): Promise<number> {
  const { rows } = await db.query<{ people: number }>(sql`
    select (select count(*) from members where tenant_id = ${tenantId})
         + (select count(*) from invitations
            where tenant_id = ${tenantId} and email <> ${email}
              and used_at is null and expires_at > now()) as people`);
  return Number(rows[0]!.people);
}

/** Lists the invitations that can still be used. */
export async function listInvitations(db: Db, tenantId: number): Promise<InvitationRow[]> {
  const { rows } = await db.query<InvitationRow>(sql`
    select id, tenant_id, email, role, by_operator, created_at, expires_at from invitations
    where tenant_id = ${tenantId} and used_at is null and expires_at > now()
    order by created_at`);
  return rows;
}

/** @returns the email of the invitation; undefined if there is no open one */
export async function deleteInvitation(
  db: Db,
  tenantId: number,
  id: number,
): Promise<string | undefined> {
  const { rows } = await db.query<{ email: string }>(sql`
    delete from invitations where tenant_id = ${tenantId} and id = ${id} and used_at is null
    returning email`);
  return rows[0]?.email;
}

/** Deletes the open invitations of a person to a tenant. */
export async function deleteInvitationsOf(db: Db, tenantId: number, userId: string): Promise<void> {
  await db.query(sql`
    delete from invitations
    where tenant_id = ${tenantId} and used_at is null
      and email = (select "email" from auth."user" where "id" = ${userId})`);
}

export type OpenInvitation = InvitationRow & { tenant_slug: string; tenant_name: string };

/** Finds an invitation by the secret of its link, if it can still be used. */
export async function findInvitation(
  db: Db,
  tokenHash: Buffer,
): Promise<OpenInvitation | undefined> {
  const { rows } = await db.query<OpenInvitation>(sql`
    select i.id, i.tenant_id, i.email, i.role, i.by_operator, i.created_at, i.expires_at,
           t.slug as tenant_slug, t.name as tenant_name
    from invitations i join tenants t on t.id = i.tenant_id
    where i.token_hash = ${tokenHash} and i.used_at is null and i.expires_at > now()`);
  return rows[0];
}

/** Marks an invitation as used; false if another request already has. */
export async function markInvitationUsed(
  db: Db,
  { tenant_id, id }: InvitationRow,
): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update invitations set used_at = now()
    where tenant_id = ${tenant_id} and id = ${id} and used_at is null`);
  return rowCount === 1;
}
