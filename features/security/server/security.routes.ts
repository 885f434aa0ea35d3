import type { Limit } from '#kit/server/limits.ts'
import { type RawRequest, type Route, route } from '#kit/server/route.ts'
import { endOtherSessions, endSession, listSecurityEvents, listSessions } from '../security.contract.ts'
import { listRecentEvents } from './security-events.ts'
import type { SecurityDeps } from './security.deps.ts'
import { endCustomerSession, endOtherCustomerSessions, findOwnSession, listCustomerSessions } from './sessions.ts'

// Requests are limited per session, so that an intruder's session cannot stop the owner from ending that session.
const requestLimits = ({ visit }: RawRequest): Limit[] =>
  visit.user ? [{ key: `end-sessions:session:${visit.session.token}`, times: 60, seconds: 3_600 }] : []

export const securityRoutes = (deps: SecurityDeps): Route[] => [
  route(listSessions, { access: 'verified' }, ({ visit }) => listCustomerSessions(deps, visit)),
  route(
    endSession,
    // The response does not reveal whether the session has ended or belongs to a different customer.
    { access: 'verified', limits: requestLimits, find: ({ visit, params }) => findOwnSession(deps, visit, params.id) },
    ({ visit, found }) => endCustomerSession(deps, visit, found.id),
  ),
  route(endOtherSessions, { access: 'verified', limits: requestLimits }, async ({ visit }) => {
    const cookies = await endOtherCustomerSessions(deps, visit)
    return { status: 200, body: await listCustomerSessions(deps, visit), cookies }
  }),
  route(listSecurityEvents, { access: 'verified' }, async ({ visit }) => ({
    events: await listRecentEvents(deps, visit),
  })),
]
