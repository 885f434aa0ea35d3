import * as v from 'valibot'
import { requiredEmail } from '#kit/contract/email.ts'
import { endpoint } from '#kit/contract/endpoint.ts'
import { requiredText } from '#kit/contract/schema.ts'

export const roles = ['support', 'finance', 'admin'] as const
export type Role = (typeof roles)[number]

export const roleNames: Record<Role, string> = { support: 'Support', finance: 'Finance', admin: 'Admin' }

/** A group of staff: those with a role, or the team leads. */
export type StaffGroup = Role | 'lead'

export const isInGroup = (
  { roles: held, isLead }: { roles: readonly Role[]; isLead: boolean },
  group: StaffGroup,
): boolean => (group === 'lead' ? isLead : held.includes(group))

export const formatRights = ({ roles: held, isLead }: { roles: readonly Role[]; isLead: boolean }): string =>
  [...held.map((role) => roleNames[role]), ...(isLead ? ['Lead'] : [])].join(', ')

export const staffMessages = {
  invitation: 'This invitation has expired or was already used. Ask for a new one.',
  passkey: 'That passkey didn’t work. Try again, or ask for a new invitation.',
  stepUp: 'Please confirm with your passkey again.',
  leadReads: 'You can look at this page, but only admins can change anything here.',
  notYours: 'Your roles don’t allow this. Ask an admin or a colleague with the right role.',
  oneself: 'You can’t change your own roles or access. Ask another admin.',
  newPasskey:
    'Your passkey is less than 24 hours old, so you can’t request or approve anything that needs two people yet. Ask a colleague.',
  tooMany: 'Too many attempts. Please try again later.',
} as const

const roleSchema = v.picklist(roles)

const staffSchema = v.object({
  id: v.string(),
  name: v.string(),
  email: v.string(),
  roles: v.array(roleSchema),
  /** Whether the person is a team lead. Team leads decide about approvals and carry out the random access reviews. */
  is_lead: v.boolean(),
  passkeys: v.number(),
})
export type Staff = v.InferOutput<typeof staffSchema>

/** A passkey's response as the browser serialises it. Its content is validated when the signature is verified. */
export const passkeyResponseSchema = v.looseObject({
  id: v.pipe(v.string(), v.maxLength(1_400)),
  // Some algorithms have keys and signatures that are thousands of characters long.
  response: v.looseObject({ clientDataJSON: v.pipe(v.string(), v.maxLength(6_000)) }),
})

export const passkeyOptionsSchema = v.object({ options: v.record(v.string(), v.unknown()) })
const invitationToken = v.pipe(requiredText(), v.maxLength(64))

export const readSignedInStaff = endpoint({
  method: 'GET',
  path: '/api/desk/me/',
  summary: 'Returns who is signed in and, in the demo, also who can sign in without a passkey',
  output: v.object({
    staff: v.nullable(staffSchema),
    demo: v.array(v.object({ email: v.string(), name: v.string(), roles: v.array(roleSchema), is_lead: v.boolean() })),
  }),
})

export const beginSignIn = endpoint({
  method: 'POST',
  path: '/api/desk/sign-in/begin/',
  summary: 'Returns a passkey challenge that can be used once, within five minutes',
  output: passkeyOptionsSchema,
})

export const signIn = endpoint({
  method: 'POST',
  path: '/api/desk/sign-in/',
  summary: 'Signs a person in with a passkey, or confirms that the signed-in person is present',
  body: v.object({ answer: passkeyResponseSchema }),
  output: v.object({}),
})

export const signInDemo = endpoint({
  method: 'POST',
  path: '/api/desk/sign-in/demo/',
  summary: 'Signs in a demo user. This endpoint does not exist in production',
  body: v.object({ email: requiredEmail() }),
  output: v.object({}),
})

export const signOut = endpoint({
  method: 'POST',
  path: '/api/desk/sign-out/',
  summary: 'Ends the session',
  output: v.object({}),
})

export const openInvitation = endpoint({
  method: 'POST',
  path: '/api/desk/invitations/open/',
  summary: 'Returns who an invitation is for, and a challenge to create a passkey',
  body: v.object({ token: invitationToken }),
  output: v.object({
    name: v.string(),
    email: v.string(),
    roles: v.array(roleSchema),
    ...passkeyOptionsSchema.entries,
  }),
})

const passkeyName = v.pipe(requiredText(), v.maxLength(60))
export const passkeyNameSchema = v.object({ passkey: passkeyName })

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/desk/invitations/accept/',
  summary: 'Creates a passkey with an invitation, uses up the invitation and signs the person in',
  body: v.object({ token: invitationToken, answer: passkeyResponseSchema, passkey: passkeyName }),
  output: v.object({}),
})
