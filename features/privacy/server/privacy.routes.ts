import type { Limit } from '#kit/server/limits.ts'
import { type RawCall, type Route, route } from '#kit/server/route.ts'
import { askForData } from '../privacy.contract.ts'
import { ticketFor } from './own-data.ts'
import type { PrivacyDeps } from './privacy.deps.ts'

// By session: an intruder in one must not keep its owner from what is theirs.
const limits = ({ visit }: RawCall): Limit[] =>
  visit.user ? [{ key: `privacy:session:${visit.session.token}`, times: 60, seconds: 3_600 }] : []

export const privacyRoutes = (deps: PrivacyDeps): Route[] => [
  route(askForData, { access: 'verified', limits }, async ({ visit, body }) => ({
    url: await ticketFor(deps, visit, body),
  })),
]
