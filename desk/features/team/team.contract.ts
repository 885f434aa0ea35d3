import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { issueOf, requiredEmail } from '#kit/contract/schema.ts'
import { roles, type Role } from '#desk/features/staff/staff.contract.ts'

export const teamMessages = {
  roles: 'Please choose at least one role.',
  lead: 'A lead is support or finance, too.',
  name: 'Please enter a name.',
  nameLong: 'A name has at most 80 characters.',
  reason: 'Please say why.',
  reasonLong: 'A reason has at most 500 characters.',
  suspended: 'They are suspended already.',
  askerChanged: 'Whoever requested this is no longer an admin. Decline it.',
  changed: 'This person has changed since this was requested. Decline it, and request it again.',
} as const

const instant = v.string()
const params = v.object({ id: v.string() })
const nothing = v.object({})

/** A single line of text. Control characters are replaced by spaces, because they could act on a terminal that shows the line. */
const line = (missing: string, most: number, tooLong: string) =>
  v.pipe(
    v.optional(v.string(), ''),
    v.transform((typed) => typed.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').trim()),
    v.nonEmpty(missing),
    v.maxLength(most, tooLong),
  )

const tick = () => v.optional(v.boolean(), false)
const roleTicks = () => ({ support: tick(), finance: tick(), admin: tick(), is_lead: tick() })
type RoleTicks = Record<Role, boolean> & { is_lead: boolean }

export const rolesTicked = (ticks: Record<Role, boolean>): Role[] => roles.filter((role) => ticks[role])

const withRoles = <Form extends RoleTicks>() =>
  v.rawCheck<Form>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const form: RoleTicks = dataset.value
    if (rolesTicked(form).length === 0) addIssue(issueOf(form, 'support', teamMessages.roles))
    else if (form.is_lead && !form.support && !form.finance) addIssue(issueOf(form, 'is_lead', teamMessages.lead))
  })

export const rolesBody = v.pipe(v.object(roleTicks()), withRoles())
export const inviteBody = v.pipe(
  v.object({ email: requiredEmail(), name: line(teamMessages.name, 80, teamMessages.nameLong), ...roleTicks() }),
  withRoles(),
)
export const suspendBody = v.object({ reason: line(teamMessages.reason, 500, teamMessages.reasonLong) })

const personSchema = v.object({
  id: v.string(),
  name: v.string(),
  email: v.string(),
  roles: v.array(v.picklist(roles)),
  is_lead: v.boolean(),
  passkeys: v.number(),
  passkey_used: v.nullable(instant),
  is_here: v.boolean(),
  seen: v.nullable(instant),
  invited_until: v.nullable(instant),
  suspended: v.nullable(instant),
})
export type TeamPerson = v.InferOutput<typeof personSchema>

export const readTeam = endpoint({
  method: 'GET',
  path: '/api/desk/team/',
  summary: 'Who works at the desk',
  output: v.object({ people: v.array(personSchema) }),
})

export const inviteToTeam = endpoint({
  method: 'POST',
  path: '/api/desk/team/invite/',
  summary:
    'Requests an invitation for a person, or for one who is here already: its link is mailed to that person alone',
  body: inviteBody,
  output: v.object({ effective: instant }),
})

export const changeRoles = endpoint({
  method: 'POST',
  path: '/api/desk/team/:id/roles/',
  summary: 'Takes roles from a person at once, or requests more for them',
  params,
  body: rolesBody,
  /** `effective`: time at which the change takes effect unless somebody declines it; `null` when it took effect at once. */
  output: v.object({ effective: v.nullable(instant) }),
})

export const suspendPerson = endpoint({
  method: 'POST',
  path: '/api/desk/team/:id/suspend/',
  summary: 'Ends all that a person may do, at once; an invitation brings them back',
  params,
  body: suspendBody,
  output: nothing,
})

export const endSessions = endpoint({
  method: 'POST',
  path: '/api/desk/team/:id/end-sessions/',
  summary: 'Signs a person out everywhere',
  params,
  output: nothing,
})
