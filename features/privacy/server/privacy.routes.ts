import type { Limit } from '#kit/server/limits.ts'
import { type RawCall, type Route, route } from '#kit/server/route.ts'
import {
  askForData,
  askForErasure,
  callOffErasure,
  chooseMarketing,
  keepAccount,
  privacyMessages,
  readErasure,
  readMarketing,
} from '../privacy.contract.ts'
import { askToBeErased, callOff, keepByLink, ownErasure } from './erasure.ts'
import { readMessages } from '../messages.contract.ts'
import { chooseOwnMarketing, ownMarketing } from './marketing.ts'
import { ownMessages } from './messages.ts'
import { ticketFor } from './own-data.ts'
import type { PrivacyDeps } from './privacy.deps.ts'

// Limited per session, so that an intruder's session cannot block the owner's.
const limits = ({ visit }: RawCall): Limit[] =>
  visit.user ? [{ key: `privacy:session:${visit.session.token}`, times: 60, seconds: 3_600 }] : []

export const privacyRoutes = (deps: PrivacyDeps): Route[] => [
  route(askForData, { access: 'verified', limits }, async ({ visit, body }) => ({
    url: await ticketFor(deps, visit, body),
  })),
  route(readErasure, { access: 'verified' }, ({ visit }) => ownErasure(deps, visit)),
  route(askForErasure, { access: 'verified', limits }, ({ visit, body }) => askToBeErased(deps, visit, body.password)),
  route(callOffErasure, { access: 'verified', limits }, ({ visit }) => callOff(deps, visit)),
  route(readMessages, { access: 'verified' }, ({ visit, query }) => ownMessages(deps, visit, query.before)),
  route(readMarketing, { access: 'verified' }, ({ visit }) => ownMarketing(deps, visit)),
  route(chooseMarketing, { access: 'verified', limits }, ({ visit, body }) =>
    chooseOwnMarketing(deps, visit, body.agreed),
  ),
  route(
    keepAccount,
    {
      access: 'anyone',
      limits: ({ visit }) => [{ key: `privacy-keep:address:${visit.clientIp}`, times: 60, seconds: 900 }],
    },
    async ({ visit, body }) => {
      await keepByLink(deps, visit, body.token)
      return { message: privacyMessages.calledOff }
    },
  ),
]
