import { recordAudit } from '../audit/record-audit.ts';
import { type Config, publicUrl } from '../config.ts';
import type { Database } from '../platform/database/database.ts';
import { invalid } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import { randomBase62, sha256 } from '../platform/secrets/crypto.ts';
import { withTenantLock } from '../tenants/with-tenant-lock.ts';
import { roleFault } from './dashboard-schema.ts';
import { isEmail } from './email.ts';
import {
  countPeople,
  findMember,
  type InvitationRow,
  insertInvitation,
  type Role,
} from './queries.ts';

const validDays = 7;
/** Limited because the dashboard shows all of them. The operator can invite any number. */
const maxPeople = 200;

/**
 * Invites a person to a tenant's dashboard with a link that works once, within 7 days. The secret
 * comes after the `#`, which browsers do not send to servers, so it appears in no access log.
 *
 * @param role by default the role of an existing member, otherwise owner
 * @param byOperator allows to invite a member, who then sets a new password with the link
 * @returns the link, which cannot be shown again
 * @throws ApiError 422 on `email` or `role`
 */
export async function inviteMember(
  { db, config }: { db: Database; config: Config },
  tenantId: number,
  { email, role: wanted, byOperator }: { email: string; role?: string; byOperator: boolean },
): Promise<{ url: string; invitation: InvitationRow }> {
  const address = email.trim().toLowerCase();
  if (!isEmail(address)) {
    throw invalid({
      email: [
        fault('not_an_email', 'must be an email address such as {example}', {
          example: 'ana@example.com',
        }),
      ],
    });
  }
  const current = (await findMember(db, tenantId, address))?.role;
  if (current && !byOperator) {
    throw invalid({
      email: [
        fault(
          'already_a_member',
          'already belongs to a member, whose role you change in the list of members',
        ),
      ],
    });
  }
  const role = wanted ?? current ?? 'owner';
  if (!isRole(role)) throw invalid({ role: [roleFault] });
  if (current === 'owner' && role !== 'owner') {
    throw invalid({
      role: [
        fault(
          'owner_already',
          'cannot be {role}: this person is an owner, and a link cannot lower a role',
          { role },
        ),
      ],
    });
  }
  const secret = randomBase62(43);
  const row = { email: address, role, tokenHash: sha256(secret), byOperator, validDays };
  const invitation = await withTenantLock(db, tenantId, async (tx) => {
    if (!byOperator && (await countPeople(tx, tenantId, address)) >= maxPeople) {
      throw invalid({
        email: [
          fault(
            'too_many_people',
            'cannot be invited: the tenant has {max} members and invitations, the maximum',
            { max: maxPeople },
          ),
        ],
      });
    }
    await recordAudit(tx, tenantId, {
      action: 'member.invited',
      subject: { name: address },
      changes: [{ field: 'role', after: role }],
    });
    return insertInvitation(tx, tenantId, row);
  });
  return { url: `${publicUrl(config)}/welcome#${secret}`, invitation };
}

export function isRole(text: string): text is Role {
  return text === 'owner' || text === 'staff';
}
