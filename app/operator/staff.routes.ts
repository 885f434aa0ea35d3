import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { requiredEmail } from '#kit/contract/email.ts'
import { isAcceptedAsNewEmail } from '#kit/contract/new-email.ts'
import { type Role, roles } from '#desk/features/staff/staff.contract.ts'
import { invite, suspendByEmail } from '#desk/features/staff/server/invitations.ts'
import { findStaffByEmail, listStaff, type StaffRow } from '#desk/features/staff/server/staff.store.ts'
import type { Deps } from '../deps.ts'
import { getRequestActor, cleanName } from './request.ts'

export type StaffView = ReturnType<typeof presentStaffMember>

const invitationSchema = v.object({
  email: requiredEmail(),
  name: v.string(),
  roles: v.array(v.picklist(roles)),
  lead: v.boolean(),
})
const suspensionSchema = v.object({ email: requiredEmail() })

/**
 * Routes that invite the first admin, or let an admin back in after the last one has lost access. These invitations
 * need no approval, so the routes are served only on the server's own socket, where a stolen token is useless.
 */
export function invitationRoutes(app: FastifyInstance, deps: Deps): void {
  app.post('/staff', async (request, reply) => {
    if (!deps.deskUrl) return reply.status(409).send({ why: 'The desk is off: set DESK_PORT and DESK_URL.' })
    const parsed = v.safeParse(invitationSchema, request.body)
    const name = parsed.success ? cleanName(parsed.output.name) : ''
    if (!parsed.success || !name || parsed.output.roles.length === 0 || !(await canInvite(deps, parsed.output.email)))
      return reply
        .status(400)
        .send({ why: `Give an email address, --name and --role. Roles, separated by commas: ${roles.join(', ')}.` })
    const requestedRoles: Role[] = [...new Set(parsed.output.roles)]
    const person = { email: parsed.output.email, name, roles: requestedRoles, isLead: parsed.output.lead }
    await invite(deps, person, getRequestActor(request))
    return { sent_to: person.email }
  })
}

const canInvite = async ({ db }: Deps, email: string): Promise<boolean> =>
  isAcceptedAsNewEmail(email) || (await findStaffByEmail(db, email)) !== null

export const rejectInvitations = (app: FastifyInstance): void =>
  void app.post('/staff', (_request, reply) =>
    reply.status(403).send({ why: 'Run this on the server itself. A token can’t invite people to the desk.' }),
  )

export function staffRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/staff', async () => (await listStaff(deps.db)).map(presentStaffMember))
  app.post('/staff/suspend', async (request, reply) => {
    const parsed = v.safeParse(suspensionSchema, request.body)
    const isSuspended = parsed.success && (await suspendByEmail(deps, parsed.output.email, getRequestActor(request)))
    return isSuspended ? {} : reply.status(404).send({ why: 'No staff member has this email address.' })
  })
}

const presentStaffMember = ({ email, name, roles, is_lead, suspended_at }: StaffRow) => ({
  email,
  name,
  roles,
  lead: is_lead,
  suspended: suspended_at?.toISOString() ?? null,
})
