import * as v from 'valibot'
import { requiredEmail } from '#kit/contract/email.ts'
import { cleanText } from '#kit/contract/clean-text.ts'
import { endpoint } from '#kit/contract/endpoint.ts'
import { createFieldIssue } from '#kit/contract/schema.ts'
import { roles, type Role } from '#desk/features/staff/staff.contract.ts'

export const teamMessages = {
  roles: 'Please choose at least one role.',
  lead: 'A team lead also needs the support or finance role.',
  name: 'Please enter a name.',
  nameLong: 'A name can have at most 80 characters.',
  reason: 'Please enter a reason.',
  reasonLong: 'A reason can have at most 500 characters.',
  suspended: 'This person is already suspended.',
  askerChanged: 'The requester is no longer an admin. Decline this request.',
  changed: 'This person’s details or roles changed after this request. Decline it and make a new request.',
} as const

const instantSchema = v.string()
const params = v.object({ id: v.string() })
const emptyOutput = v.object({})

/** A single line of text. Control characters are replaced by spaces, because they could manipulate a terminal that shows the text. */
const createSingleLineSchema = (missing: string, most: number, tooLong: string) =>
  v.pipe(
    v.optional(v.string(), ''),
    v.transform((typed) =>
      cleanText(typed)
        .replaceAll(/(?![\u200c\u200d])[\p{Cc}\p{Cf}]/gu, ' ')
        .trim(),
    ),
    v.nonEmpty(missing),
    v.maxLength(most, tooLong),
  )

const createCheckboxSchema = () => v.optional(v.boolean(), false)
const createRoleCheckboxes = () => ({
  support: createCheckboxSchema(),
  finance: createCheckboxSchema(),
  admin: createCheckboxSchema(),
  is_lead: createCheckboxSchema(),
})
type RoleCheckboxes = Record<Role, boolean> & { is_lead: boolean }

export const getSelectedRoles = (ticks: Record<Role, boolean>): Role[] => roles.filter((role) => ticks[role])

const checkRoles = <Form extends RoleCheckboxes>() =>
  v.rawCheck<Form>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const form: RoleCheckboxes = dataset.value
    if (getSelectedRoles(form).length === 0) addIssue(createFieldIssue(form, 'support', teamMessages.roles))
    else if (form.is_lead && !form.support && !form.finance)
      addIssue(createFieldIssue(form, 'is_lead', teamMessages.lead))
  })

export const roleChangeSchema = v.pipe(v.object(createRoleCheckboxes()), checkRoles())
export const invitationSchema = v.pipe(
  v.object({
    /** A person on the team can be invited again at any stored address. The server checks new people's addresses more strictly. */
    email: requiredEmail(),
    name: createSingleLineSchema(teamMessages.name, 80, teamMessages.nameLong),
    ...createRoleCheckboxes(),
  }),
  checkRoles(),
)
export const suspensionSchema = v.object({
  reason: createSingleLineSchema(teamMessages.reason, 500, teamMessages.reasonLong),
})

const personSchema = v.object({
  id: v.string(),
  name: v.string(),
  email: v.string(),
  roles: v.array(v.picklist(roles)),
  is_lead: v.boolean(),
  passkeys: v.number(),
  passkey_used: v.nullable(instantSchema),
  is_here: v.boolean(),
  seen: v.nullable(instantSchema),
  invited_until: v.nullable(instantSchema),
  suspended: v.nullable(instantSchema),
})
export type TeamPerson = v.InferOutput<typeof personSchema>

export const readTeam = endpoint({
  method: 'GET',
  path: '/api/desk/team/',
  summary: 'Lists the people who work at the desk',
  output: v.object({ people: v.array(personSchema) }),
})

export const inviteToTeam = endpoint({
  method: 'POST',
  path: '/api/desk/team/invite/',
  summary: 'Requests an invitation for a new or existing person. Its link is emailed to that person only',
  body: invitationSchema,
  output: v.object({ effective: instantSchema }),
})

export const changeRoles = endpoint({
  method: 'POST',
  path: '/api/desk/team/:id/roles/',
  summary: 'Removes roles from a person at once, or requests more roles for them',
  params,
  body: roleChangeSchema,
  /** `effective` is when the change takes effect unless someone declines it; `null` if it took effect immediately. */
  output: v.object({ effective: v.nullable(instantSchema) }),
})

export const suspendPerson = endpoint({
  method: 'POST',
  path: '/api/desk/team/:id/suspend/',
  summary: 'Suspends a person at once; a new invitation restores their access',
  params,
  body: suspensionSchema,
  output: emptyOutput,
})

export const endSessions = endpoint({
  method: 'POST',
  path: '/api/desk/team/:id/end-sessions/',
  summary: 'Signs a person out everywhere',
  params,
  output: emptyOutput,
})
