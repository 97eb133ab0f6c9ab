import type { Command } from 'commander';
import { changeMember } from '../../members/change-member.ts';
import { inviteMember } from '../../members/invite-member.ts';
import { listInvitations, listMembers, listMembershipsOf } from '../../members/queries.ts';
import { withdrawInvitation } from '../../members/withdraw-invitation.ts';
import { CommandError, table, tenantBySlug, withServices } from '../command.ts';

export function memberCommands(program: Command): void {
  const member = program.command('member').description('Let people sign in to the dashboard.');

  withServices(
    member
      .command('add')
      .description(
        'Print a link to set a password and sign in, valid once within 7 days. For an existing member it sets a new password, switches two-step sign-in off and ends all sessions.',
      )
      .argument('<tenant>')
      .argument('<email>')
      .option('--role <role>', 'owner or staff (default: owner; an existing member keeps theirs)'),
    async (services, slug: string, email: string, { role }: { role?: string }) => {
      const tenant = await tenantBySlug(services, slug);
      const { url, invitation } = await inviteMember(services, tenant.id, {
        email,
        ...(role === undefined ? {} : { role }),
        byOperator: true,
      });
      return {
        json: {
          url,
          email: invitation.email,
          role: invitation.role,
          expires_at: invitation.expires_at.toISOString(),
        },
        text: `${url}\nValid once, within 7 days. Give it only to ${invitation.email}.`,
      };
    },
  );

  withServices(
    member
      .command('list')
      .description('List the members and open invitations of a tenant.')
      .argument('<tenant>'),
    async (services, slug: string) => {
      const tenant = await tenantBySlug(services, slug);
      const members = await listMembers(services.db, tenant.id);
      const invitations = await listInvitations(services.db, tenant.id);
      return {
        json: {
          members: members.map(({ email, name, role, two_factor, created_at }) => ({
            email,
            name,
            role,
            two_factor,
            created_at: created_at.toISOString(),
          })),
          invitations: invitations.map(({ email, role, created_at, expires_at }) => ({
            email,
            role,
            created_at: created_at.toISOString(),
            expires_at: expires_at.toISOString(),
          })),
        },
        text: table(
          ['EMAIL', 'NAME', 'ROLE', 'TWO-STEP', 'INVITED UNTIL'],
          [
            ...members.map((each) => [
              each.email,
              each.name,
              each.role,
              each.two_factor ? 'on' : 'off',
            ]),
            ...invitations.map((each) => [
              each.email,
              '',
              each.role,
              '',
              each.expires_at.toISOString(),
            ]),
          ],
        ),
      };
    },
  );

  withServices(
    member
      .command('find')
      .description('List the tenants of which an email is a member, or to which it is invited.')
      .argument('<email>'),
    async (services, email: string) => {
      const memberships = await listMembershipsOf(services.db, normalized(email));
      return {
        json: {
          memberships: memberships.map(({ since, ...each }) => ({
            ...each,
            since: since.toISOString(),
          })),
        },
        text: table(
          ['TENANT', 'ROLE', 'STATE', 'SINCE'],
          memberships.map(({ tenant, role, state, since }) => [
            tenant,
            role,
            state,
            since.toISOString(),
          ]),
        ),
      };
    },
  );

  withServices(
    member
      .command('remove')
      .description('Remove a member or an open invitation. Takes effect at once.')
      .argument('<tenant>')
      .argument('<email>'),
    async (services, slug: string, email: string) => {
      const tenant = await tenantBySlug(services, slug);
      const hasEmail = (each: { email: string }) => each.email === normalized(email);
      const found = (await listMembers(services.db, tenant.id)).find(hasEmail);
      if (!found) {
        const invited = (await listInvitations(services.db, tenant.id)).find(hasEmail);
        if (!invited || !(await withdrawInvitation(services.db, tenant.id, invited.id))) {
          throw new CommandError(
            `${slug} has no member ${email} and no invitation for that address. See \`parley member list ${slug}\`.`,
          );
        }
        return {
          json: { removed: invited.email },
          text: `${invited.email} is no longer invited.`,
        };
      }
      const outcome = await changeMember(services.db, tenant.id, found.user_id, null);
      if (outcome === 'last-owner') {
        throw new CommandError(`${email} is the only owner of ${slug}. Add another owner first.`);
      }
      return { json: { removed: found.email }, text: `${found.email} no longer has access.` };
    },
  );
}

/** An email as it is stored. */
function normalized(email: string): string {
  return email.trim().toLowerCase();
}
