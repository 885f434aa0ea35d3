import { deskRoute, type DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { decideLook, readChecks } from '../checks.contract.ts'
import { type ChecksDeps, checksFor, sayOfLook } from './checks.ts'
import { presentChecks } from './checks.present.ts'

/** Roles that may be leads. The use case also checks that the person is a lead. */
const leads = { who: ['support', 'finance'] } as const

export const checkRoutes = (deps: ChecksDeps): DeskRoute[] => [
  deskRoute(readChecks, leads, async ({ staff }) => presentChecks(await checksFor(deps, staff), staff)),
  deskRoute(decideLook, leads, async ({ staff, params, body }) => {
    await sayOfLook(deps, staff, { id: params.id, decision: body.decision })
    return {}
  }),
]
