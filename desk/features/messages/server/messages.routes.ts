import { realNow } from '#kit/server/clock.ts'
import { maskEmail } from '#kit/server/masks.ts'
import { parseUuidPosition } from '#kit/server/pagination.ts'
import { conflict, notFound } from '#kit/server/http-error.ts'
import type { CustomersDeps } from '#features/customers/server/customers.deps.ts'
import { resentMessageLabel } from '#features/customers/server/resend.labels.ts'
import { resendMessage } from '#features/customers/server/resend-message.ts'
import { findMessage } from '#features/messages/server/messages.store.ts'
import { toStaffActor, type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { listMessages, readDomains, resendRefusedMessage } from '../messages.contract.ts'
import { measureSendingTimesToday, countRefusedByDomain, countStuckByDomain } from './domains.view.ts'
import { presentDomains, presentMessage } from './messages.present.ts'
import { listProblemMessages } from './messages.view.ts'

const supportOrFinance = { who: ['support', 'finance'] } as const

export const messageRoutes = (deps: CustomersDeps): DeskRoute[] => [
  deskRoute(listMessages, supportOrFinance, async ({ query: { of, to, about, before } }) => {
    const { rows, next } = await listProblemMessages(deps.db, { of, to, about, before: parseUuidPosition(before) })
    const { isComposedAgain } = deps
    return { rows: rows.map((row) => presentMessage(row, { of, isComposedAgain })), next }
  }),
  deskRoute(readDomains, supportOrFinance, async () => {
    const { db, clock, market } = deps
    return presentDomains({
      refused: await countRefusedByDomain(db),
      stuck: await countStuckByDomain(db),
      paces: await measureSendingTimesToday({ db, clock, zone: market.zone }),
      now: realNow().epochMilliseconds,
    })
  }),
  deskRoute(resendRefusedMessage, supportOrFinance, async ({ staff, params: { id } }) => {
    const message = await findMessage(deps.db, id)
    if (!message) throw notFound()
    if (!message.refused_at) throw conflict('This message was not refused. It will be sent automatically.')
    const sent = await resendMessage(deps, id, toStaffActor(staff))
    if ('why' in sent) throw conflict(sent.why)
    return { said: resentMessageLabel(maskEmail(sent.to), sent.is_copy) }
  }),
]
