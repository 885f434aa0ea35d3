import type { Market } from '#kit/contract/bootstrap.ts'
import { conflict, notFound } from '#kit/server/http-error.ts'
import type { RawRequest } from '#kit/server/route.ts'
import { isUuid } from '#kit/server/uuid.ts'
import { searchLimits } from '#desk/features/search/server/search-limits.ts'
import { suspendByEmail } from '#desk/features/staff/server/invitations.ts'
import { endAllStaffSessions } from '#desk/features/staff/server/people.ts'
import { deskFileRoute } from '#desk/features/staff/server/file-routes.ts'
import { toStaffActor, deskRoute, type DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import type { StaffMailDeps } from '#desk/features/staff/server/staff.mail.ts'
import { findStaff, type StaffRow } from '#desk/features/staff/server/staff.store.ts'
import { downloadAudit, readAudit } from '../audit.contract.ts'
import {
  changeRoles,
  endSessions,
  inviteToTeam,
  readTeam,
  getSelectedRoles,
  suspendPerson,
  teamMessages,
} from '../team.contract.ts'
import { type AuditDeps, createAuditTrailFile, readAuditTrailPage } from './audit.ts'
import { presentAuditTrail } from './audit.view.ts'
import { requestInvitation, requestRoleChange } from './staff-change-requests.ts'
import { presentPerson, listTeam } from './team.view.ts'

export type TeamDeps = AuditDeps & StaffMailDeps & { market: Market }

const adminOnly = { who: ['admin'] } as const
const adminOrLead = { who: ['admin', 'lead'] } as const
const adminWithStepUp = { who: ['admin'], stepUp: true } as const

/** The audit log's customer filter is a customer search, so it counts towards the same rate limit. */
const auditSearchLimits = {
  limits: (raw: RawRequest) => ((raw.query as { q?: unknown } | undefined)?.q ? searchLimits(raw) : []),
  countsPages: true,
} as const

export const teamRoutes = (deps: TeamDeps): DeskRoute[] => [
  deskRoute(readTeam, adminOrLead, async () => ({ people: (await listTeam(deps.db)).map(presentPerson) })),
  deskRoute(inviteToTeam, adminWithStepUp, async ({ staff, body }) => {
    const { email, name, is_lead: isLead } = body
    const approval = await requestInvitation(deps, staff, { email, name, roles: getSelectedRoles(body), isLead })
    return { effective: approval.lapses_at.toISOString() }
  }),
  deskRoute(changeRoles, adminWithStepUp, async ({ staff, params, body }) => {
    const { id } = await requirePerson(deps, params.id)
    const approval = await requestRoleChange(deps, staff, id, { roles: getSelectedRoles(body), isLead: body.is_lead })
    return { effective: approval?.lapses_at.toISOString() ?? null }
  }),
  deskRoute(suspendPerson, adminWithStepUp, async ({ staff, params, body: { reason } }) => {
    const { email } = await requirePerson(deps, params.id)
    if (!(await suspendByEmail(deps, email, toStaffActor(staff, reason)))) throw conflict(teamMessages.suspended)
    return {}
  }),
  deskRoute(endSessions, adminOnly, async ({ staff, params }) => {
    await endAllStaffSessions(deps, await requirePerson(deps, params.id), toStaffActor(staff))
    return {}
  }),
  deskRoute(readAudit, { ...adminOrLead, ...auditSearchLimits }, async ({ staff, query }) =>
    presentAuditTrail(await readAuditTrailPage(deps, staff, query), staff),
  ),
  deskFileRoute(downloadAudit, { ...adminWithStepUp, limits: auditSearchLimits.limits }, async ({ staff, query }) =>
    createAuditTrailFile(deps, staff, query),
  ),
]

/** @throws 404 */
async function requirePerson({ db }: TeamDeps, id: string): Promise<StaffRow> {
  const person = isUuid(id) ? await findStaff(db, id) : null
  if (!person) throw notFound()
  return person
}
