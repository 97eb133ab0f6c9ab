import { type TSchema, Type } from 'typebox';
import { fault } from '../platform/errors/fault.ts';
import { DataResponse } from '../platform/http/response-schema.ts';
import { Name } from '../platform/values/texts/name.ts';
import { region } from '../tenants/dashboard-schema.ts';

export const roleFault = fault('not_a_role', 'must be owner or staff');
const Role = Type.Union([Type.Literal('owner'), Type.Literal('staff')], {
  'x-message': roleFault,
});

/** The signed-in person with their tenants; null if nobody is signed in. */
export const Session = DataResponse(
  Type.Union([
    Type.Null(),
    Type.Object({
      email: Type.String(),
      name: Type.String(),
      two_factor: Type.Boolean(),
      tenants: Type.Array(
        Type.Object({
          slug: Type.String(),
          name: Type.String(),
          role: Role,
          ...region,
        }),
      ),
    }),
  ]),
);

export const passwordRule = {
  minLength: 10,
  maxLength: 128,
  fault: fault(
    'new_password_length',
    'must have 10 to 128 characters; a few words in a row are good',
  ),
};

/** The fault of a new password. */
export const passwordOfOther = fault(
  'password_of_other',
  'is that of another account of this email; choose another',
);

/** A current password, which is verified later. */
const Password = Type.String({ minLength: 1, maxLength: passwordRule.maxLength });

const NewPassword = Type.String({
  minLength: passwordRule.minLength,
  maxLength: passwordRule.maxLength,
  'x-message': passwordRule.fault,
});

export const SignIn = Type.Object({ email: Type.String({ maxLength: 254 }), password: Password });

/** A session, or the need for a second step. */
export const SignedIn: TSchema = DataResponse(
  Type.Object({ twoFactorRedirect: Type.Optional(Type.Boolean()) }),
);

export const AuthDone: TSchema = DataResponse(Type.Object({}));

const BackupCodes = Type.Array(Type.String());

export const SecondStepSetUp: TSchema = DataResponse(
  Type.Object({ totpURI: Type.String(), backupCodes: BackupCodes }),
);

export const NewBackupCodes: TSchema = DataResponse(Type.Object({ backupCodes: BackupCodes }));

export const UpdateUser = Type.Object({
  name: Name(100),
});

export const ChangePassword = Type.Object({
  currentPassword: Password,
  newPassword: NewPassword,
  revokeOtherSessions: Type.Optional(Type.Boolean()),
});

export const OwnPassword = Type.Object({ password: Password });

export const SecondStep = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 100 }),
  trustDevice: Type.Optional(Type.Boolean()),
});

export const InvitationSecret = Type.Object({ secret: Type.String({ maxLength: 100 }) });

export const Invitation = DataResponse(
  Type.Object({
    email: Type.String(),
    role: Role,
    tenant_name: Type.String(),
    accept_by: Type.Union([Type.Literal('join'), Type.Literal('reset')]),
  }),
);

export const AcceptInvitation = Type.Object({
  secret: Type.String({ maxLength: 100 }),
  name: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^[^\\p{Cc}]*$',
      'x-message': fault('short_line', 'must be text on one line, at most {max} characters', {
        max: 100,
      }),
    }),
  ),
  password: Type.String({ minLength: 1, maxLength: 200 }),
  has_account: Type.Optional(
    Type.Boolean({ description: 'Whether the password is that of an existing account.' }),
  ),
});

export const AcceptedInvitation = DataResponse(
  Type.Object({ email: Type.String(), tenant: Type.String() }),
);

const OpenInvitation = Type.Object({
  id: Type.Integer(),
  email: Type.String(),
  role: Role,
  created_at: Type.String(),
  expires_at: Type.String(),
});

export const Members = DataResponse(
  Type.Object({
    members: Type.Array(
      Type.Object({
        user_id: Type.String(),
        email: Type.String(),
        name: Type.String(),
        role: Role,
        two_factor: Type.Boolean(),
        is_you: Type.Boolean(),
        created_at: Type.String(),
        last_seen_at: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
    invitations: Type.Array(OpenInvitation),
  }),
);

export const InviteMember = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 254 }),
  role: Role,
});

export const InvitedMember = DataResponse(
  Type.Object({ url: Type.String(), invitation: OpenInvitation }),
);

export const ChangeRole = Type.Object({ role: Role });

export const Done = Type.Object({ success: Type.Literal(true), message: Type.String() });
