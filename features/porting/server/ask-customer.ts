import { randomUUID } from 'node:crypto'
import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { isWithin } from '#kit/server/limits.ts'
import { lockUser } from '#features/auth/server/users.store.ts'
import { isMailStopped } from '#features/messages/server/mail-stops.store.ts'
import { findService } from '#features/services/server/services.store.ts'
import { askLimits, askOf, type PortAsk, whyNotAsked } from './port-ask.ts'
import { tellWhatIsAsked } from './port-ask.mail.ts'
import { tellToReply } from './port-news.mail.ts'
import type { PortingDeps } from './porting.deps.ts'
import { insertPortEvent } from './porting-events.store.ts'
import { milestonesOfPort } from './porting-milestones.store.ts'
import { findPortByExternalId, lockPort } from './porting.store.ts'

/** `own` is the number that received the text; `byMail` says whether an email was sent as well. */
export type AskOutcome = { own: string; byMail: boolean; ask: PortAsk } | { why: string }

const gone = { why: 'No transfer found.' }
const nothing = {
  remind: 'This transfer is not waiting for a reply from its customer now.',
  ask: 'There is nothing in this transfer that its customer has to correct now.',
}

/** The messages go only to the number and the email address on file. */
export const askCustomerOfPort = (
  deps: PortingDeps,
  { externalId, act }: { externalId: string; act: PortAsk['act'] },
  actor: Actor,
): Promise<AskOutcome> =>
  transact(deps.db, async (trx) => {
    const found = await findPortByExternalId(trx, externalId)
    const service = found && (await findService(trx, found.service_id))
    // Lock order: the user before the transfer, as everywhere that locks both. Simultaneous requests of staff queue
    // here.
    const user = service && (await lockUser(trx, service.user_id))
    const port = user && (await lockPort(trx, externalId))
    if (!port) return gone
    const now = deps.clock.now()
    const ask = askOf(deps, port, { milestones: await milestonesOfPort(trx, port.id), now })
    if (ask?.act !== act) return { why: nothing[act] }
    const why = await whyNotAsked(trx, deps, ask, { port, service, user })
    if (why) return { why }
    if (!(await isWithin(trx, askLimits(act, port, user.id)))) throw new Error('a limit was used up under its lock')
    await tell(trx, { ...deps, again: randomUUID() }, { port, ask })
    const byMail = !(await isMailStopped(trx, user.id))
    const message = byMail ? 'by text and mail' : 'by text'
    await insertPortEvent(trx, port, { event: act === 'remind' ? 'reminded' : 'asked', actor, message }, now)
    await audit(trx, deps.clock, {
      event: act === 'remind' ? 'number_transfer_reminded' : 'number_transfer_asked',
      userId: user.id,
      actor,
      details: { transfer: externalId },
    })
    return { own: service.msisdn, byMail, ask }
  })

type Told = { port: Parameters<typeof tellToReply>[2]; ask: PortAsk }

const tell = (trx: Trx, deps: Parameters<typeof tellWhatIsAsked>[1], { port, ask }: Told): Promise<void> =>
  ask.act === 'remind' ? tellToReply(trx, deps, port, ask.replyBy) : tellWhatIsAsked(trx, deps, port, ask.about)
