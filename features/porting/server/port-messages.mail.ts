import type { Market } from '#kit/contract/bootstrap.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { appendZoneToTime } from '#kit/contract/zone-name.ts'
import { formatHour } from '#kit/server/relative-day.ts'
import type { Trx } from '#kit/server/db.ts'
import { findUser, type User } from '#features/auth/server/users.store.ts'
import {
  callSupportText,
  buildGreeting,
  queueMail,
  queueSms,
  chooseFittingSmsText,
} from '#features/messages/server/messages.ts'
import { findService } from '#features/services/server/services.store.ts'
import { getFailureReason, describePortFailure } from './port-failure.ts'
import { buildPortSendCondition } from './port-send-condition.ts'
import type { PortingDeps } from './porting.deps.ts'
import { findDonorName, type PortingRequest } from './porting.store.ts'

/*
 * Texts about a transfer go to the SIM that we issued, never to the number being transferred. If the customer entered a
 * stranger's number, a text to it would tell the stranger to confirm the transfer.
 */

const replyInstructions = {
  NZ: {
    heading: 'Reply ‘Yes’ to move your number',
    text: 'reply YES to the text from 2542 on your OLD SIM',
    what: 'reply ‘Yes’ to the text from 2542 on your old SIM',
    subject: (by: string, number: string) => `Reply YES by ${by} to move ${number}`,
    others: 'don’t reply',
  },
  AU: {
    heading: 'Enter your code to move your number',
    text: 'log in and enter the code texted to your OLD SIM',
    what: 'log in and enter the code that was texted to your old SIM',
    subject: (by: string, number: string) => `Enter your code by ${by} to move ${number}`,
    others: 'don’t enter a code',
  },
}

const formatDeadline = (replyBy: Temporal.Instant, { zone }: Pick<Market, 'zone'>): string =>
  appendZoneToTime(formatHour(replyBy, zone), zone)

export function formatReplySms(
  deps: Pick<PortingDeps, 'market' | 'help' | 'brandShortName' | 'publicUrl'>,
  { number, donor, replyBy }: { number: string; donor: string; replyBy: Temporal.Instant },
): string {
  const { text } = replyInstructions[deps.market.code]
  const deadline = formatDeadline(replyBy, deps.market)
  return chooseFittingSmsText(deps, (host) => [
    `${text} by ${deadline}, or ${number} stays with ${donor}. No text? Call ${deps.help.phone}`,
    `${text} by ${deadline}, or ${number} does not move. No text? Call ${deps.help.phone}`,
    `${text} by ${deadline} to move ${number}. Log in at ${host}`,
  ])
}

/**
 * Sends the text and the email that ask the customer to confirm a transfer. Each is sent once per transfer, and again
 * when staff request a reminder.
 */
export async function sendReplyRequest(
  trx: Trx,
  deps: PortingDeps,
  port: PortingRequest,
  replyBy: Temporal.Instant,
): Promise<void> {
  const { user, own, number, donor } = await findPortParties(trx, port)
  const instruction = replyInstructions[deps.market.code]
  const deadline = formatDeadline(replyBy, deps.market)
  const text = formatReplySms(deps, { number, donor, replyBy })
  const sendCondition = { serviceId: port.service_id, premise: buildPortSendCondition(port), byDay: false }
  await queueSms(trx, deps, {
    eventKey: `port-reply-text:${port.id}`,
    to: own,
    userId: user.id,
    text,
    onlyWhile: sendCondition,
  })
  await queueMail(trx, deps, {
    eventKey: `port-reply:${port.id}`,
    to: user,
    subject: instruction.subject(deadline, number),
    heading: instruction.heading,
    paragraphs: [
      `${buildGreeting(deps, user.first_name)}, ${donor} has found ${number} and needs your ` +
        `OK to move it. Please ${instruction.what} by ${deadline}, ` +
        'or the transfer will be cancelled.',
      `No text? Check your old SIM is in a phone with signal, and that texts from short numbers aren’t blocked. ` +
        `If it still doesn’t arrive, ${callSupportText(deps)}.`,
      `If you didn’t ask for this transfer, ${instruction.others}, and ${callSupportText(deps)}.`,
    ],
    rows: [],
    button: { text: 'See the transfer’s progress', url: `${deps.publicUrl}/services/${port.service_id}/port/` },
    onlyWhile: sendCondition,
  })
}

export async function sendPortEndSms(trx: Trx, deps: PortingDeps, port: PortingRequest): Promise<void> {
  if (port.status !== 'COMPLETED' && port.status !== 'FAILED') return
  const { user, own, number, donor } = await findPortParties(trx, port)
  const workingNumber = formatNational(own)
  const failureText = describePortFailure(getFailureReason(deps, port), donor, deps.market.code)
  await queueSms(trx, deps, {
    eventKey: `port-text:${port.id}:${port.status}`,
    to: own,
    userId: user.id,
    text: chooseFittingSmsText(deps, (host) =>
      port.status === 'COMPLETED'
        ? [
            `${number} has moved to your new SIM. Put it into your phone, and turn the phone off and on. Your plan: log in at ${host}`,
            `${number} has moved. Put your new SIM in, and turn the phone off and on. Your plan: log in at ${host}`,
          ]
        : [
            `${number} didn't move. ${failureText && `${failureText} `}${workingNumber} still works. To try again, log in at ${host}`,
            `${number} didn't move. ${workingNumber} still works. To try again, log in at ${host}`,
          ],
    ),
    onlyWhile: { serviceId: port.service_id, premise: buildPortSendCondition(port), byDay: true },
  })
}

/** `own` is the current phone number of the SIM that we issued. */
export async function findPortParties(
  trx: Trx,
  port: PortingRequest,
): Promise<{ user: User; own: string; number: string; donor: string }> {
  const service = await findService(trx, port.service_id)
  const user = service && (await findUser(trx, service.user_id))
  if (!service || !user) throw new Error('a transfer without a customer')
  return {
    user,
    own: service.msisdn,
    number: formatNational(port.msisdn),
    donor: await findDonorName(trx, port.provider_id),
  }
}
