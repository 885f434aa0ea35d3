import type { Market } from '#kit/contract/bootstrap.ts'
import { conflict, notFound } from '#kit/server/refusal.ts'
import { isUuid } from '#kit/server/uuid.ts'
import { suspend } from '#desk/features/staff/server/invitations.ts'
import { endSessionsOf } from '#desk/features/staff/server/people.ts'
import { deskFile } from '#desk/features/staff/server/file-routes.ts'
import { actorOf, deskRoute, type DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import type { StaffMailDeps } from '#desk/features/staff/server/staff.mail.ts'
import { findStaff, type StaffRow } from '#desk/features/staff/server/staff.store.ts'
import { downloadAudit, readAudit } from '../audit.contract.ts'
import {
  changeRoles,
  endSessions,
  inviteToTeam,
  readTeam,
  rolesTicked,
  suspendPerson,
  teamMessages,
} from '../team.contract.ts'
import { type AuditDeps, trailFile, trailFor } from './audit.ts'
import { presentTrail } from './audit.view.ts'
import { requestInvitation, requestRoles } from './requests.ts'
import { presentPerson, readPeople } from './team.view.ts'

export type TeamDeps = AuditDeps & StaffMailDeps & { market: Market }

const admin = { who: ['admin'] } as const
const weighty = { who: ['admin'], stepUp: true } as const

export const teamRoutes = (deps: TeamDeps): DeskRoute[] => [
  deskRoute(readTeam, admin, async () => ({ people: (await readPeople(deps.db)).map(presentPerson) })),
  deskRoute(inviteToTeam, weighty, async ({ staff, body }) => {
    const { email, name, is_lead: isLead } = body
    const asked = await requestInvitation(deps, staff, { email, name, roles: rolesTicked(body), isLead })
    return { effective: asked.lapses_at.toISOString() }
  }),
  deskRoute(changeRoles, weighty, async ({ staff, params, body }) => {
    const { id } = await personOf(deps, params.id)
    const asked = await requestRoles(deps, staff, id, { roles: rolesTicked(body), isLead: body.is_lead })
    return { effective: asked?.lapses_at.toISOString() ?? null }
  }),
  deskRoute(suspendPerson, weighty, async ({ staff, params, body: { reason } }) => {
    const { email } = await personOf(deps, params.id)
    if (!(await suspend(deps, email, actorOf(staff, reason)))) throw conflict(teamMessages.suspended)
    return {}
  }),
  deskRoute(endSessions, admin, async ({ staff, params }) => {
    await endSessionsOf(deps, await personOf(deps, params.id), actorOf(staff))
    return {}
  }),
  deskRoute(readAudit, admin, async ({ staff, query }) => presentTrail(await trailFor(deps, staff, query), staff)),
  deskFile(downloadAudit, weighty, async ({ staff, query }) => trailFile(deps, staff, query)),
]

/** @throws 404 */
async function personOf({ db }: TeamDeps, id: string): Promise<StaffRow> {
  const person = isUuid(id) ? await findStaff(db, id) : null
  if (!person) throw notFound()
  return person
}
