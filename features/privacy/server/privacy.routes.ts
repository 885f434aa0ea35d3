import type { Limit } from '#kit/server/limits.ts'
import { type RawRequest, type Route, route } from '#kit/server/route.ts'
import {
  requestData,
  requestErasure,
  cancelErasure,
  saveMarketingChoice,
  keepAccount,
  privacyMessages,
  readErasure,
  readMarketing,
} from '../privacy.contract.ts'
import { requestOwnErasure, cancelOwnErasure, cancelErasureByLink, readOwnErasure } from './erasure.ts'
import { readMessages } from '../messages.contract.ts'
import { saveOwnMarketing, readOwnMarketing } from './marketing.ts'
import { listOwnMessages } from './messages.ts'
import { createDownloadTicket } from './own-data.ts'
import type { PrivacyDeps } from './privacy.deps.ts'

// Requests are limited per session, so that an intruder's session cannot block the account owner's requests.
const requestLimits = ({ visit }: RawRequest): Limit[] =>
  visit.user ? [{ key: `privacy:session:${visit.session.token}`, times: 60, seconds: 3_600 }] : []

export const privacyRoutes = (deps: PrivacyDeps): Route[] => [
  route(requestData, { access: 'verified', limits: requestLimits }, async ({ visit, body }) => ({
    url: await createDownloadTicket(deps, visit, body),
  })),
  route(readErasure, { access: 'verified' }, ({ visit }) => readOwnErasure(deps, visit)),
  route(requestErasure, { access: 'verified', limits: requestLimits }, ({ visit, body }) =>
    requestOwnErasure(deps, visit, body.password),
  ),
  route(cancelErasure, { access: 'verified', limits: requestLimits }, ({ visit }) => cancelOwnErasure(deps, visit)),
  route(readMessages, { access: 'verified' }, ({ visit, query }) => listOwnMessages(deps, visit, query.before)),
  route(readMarketing, { access: 'verified' }, ({ visit }) => readOwnMarketing(deps, visit)),
  route(saveMarketingChoice, { access: 'verified', limits: requestLimits }, ({ visit, body }) =>
    saveOwnMarketing(deps, visit, body.agreed),
  ),
  route(
    keepAccount,
    {
      access: 'anyone',
      limits: ({ visit }) => [{ key: `privacy-keep:address:${visit.clientIp}`, times: 60, seconds: 900 }],
    },
    async ({ visit, body }) => {
      await cancelErasureByLink(deps, visit, body.token)
      return { message: privacyMessages.calledOff }
    },
  ),
]
