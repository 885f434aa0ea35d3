import { formatNational } from '#kit/contract/phone.ts'
import { hourWords } from '#kit/server/day-words.ts'
import type { Trx } from '#kit/server/db.ts'
import { findUser, type User } from '#features/auth/server/users.store.ts'
import { callUs, greet, queueMail, queueSms, textOf } from '#features/messages/server/messages.ts'
import { findService } from '#features/services/server/services.store.ts'
import { reasonOf, sentenceOf } from './port-failure.ts'
import { premiseOfPort } from './port-premise.ts'
import type { PortingDeps } from './porting.deps.ts'
import { nameOfDonor, type PortingRequest } from './porting.store.ts'

// Texts go to the SIM that we issued, never to a number that is still with another provider. If that number belonged to
// someone else, we would be telling its owner to confirm the transfer.

const asks = {
  NZ: {
    heading: 'Your ‘Yes’ is needed',
    text: 'reply YES to the text from 2542 on your OLD SIM',
    what: 'reply ‘Yes’ to the text from 2542 on your old SIM',
    subject: (by: string, number: string) => `Reply YES by ${by} to move ${number}`,
    others: 'don’t reply',
  },
  AU: {
    heading: 'Your code is needed',
    text: 'log in and enter the code texted to your OLD SIM',
    what: 'log in and enter the code that was texted to your old SIM',
    subject: (by: string, number: string) => `Enter your code by ${by} to move ${number}`,
    others: 'don’t enter a code',
  },
}

export function replyTextOf(
  deps: Pick<PortingDeps, 'market' | 'help' | 'brandShortName' | 'publicUrl'>,
  { number, donor, replyBy }: { number: string; donor: string; replyBy: Temporal.Instant },
): string {
  const { text } = asks[deps.market.code]
  const by = hourWords(replyBy, deps.market.zone)
  return textOf(deps, (host) => [
    `${text} by ${by}, or ${number} stays with ${donor}. No text? Call ${deps.help.phone}`,
    `${text} by ${by}, or ${number} does not move. No text? Call ${deps.help.phone}`,
    `${text} by ${by} to move ${number}. Log in at ${host}`,
  ])
}

/** The text and the email each go out once per transfer, and again when staff request a reminder. */
export async function tellToReply(
  trx: Trx,
  deps: PortingDeps,
  port: PortingRequest,
  replyBy: Temporal.Instant,
): Promise<void> {
  const { user, own, number, donor } = await partiesOf(trx, port)
  const ask = asks[deps.market.code]
  const by = hourWords(replyBy, deps.market.zone)
  const text = replyTextOf(deps, { number, donor, replyBy })
  const onlyWhile = { serviceId: port.service_id, premise: premiseOfPort(port), byDay: false }
  await queueSms(trx, deps, {
    eventKey: `port-reply-text:${port.id}`,
    to: own,
    userId: user.id,
    text,
    onlyWhile,
  })
  await queueMail(trx, deps, {
    eventKey: `port-reply:${port.id}`,
    to: user,
    subject: ask.subject(by, number),
    heading: ask.heading,
    paragraphs: [
      `${greet(deps, user.first_name)}, ${donor} has found ${number} and needs your OK to move it. Please ${ask.what} by ${by}, ` +
        'or the transfer will be cancelled.',
      `No text? Check your old SIM is in a phone with signal, and that texts from short numbers aren’t blocked. ` +
        `If it still doesn’t arrive, ${callUs(deps)}.`,
      `If you didn’t ask for this transfer, ${ask.others}, and ${callUs(deps)}.`,
    ],
    rows: [],
    button: { text: 'See the transfer’s progress', url: `${deps.publicUrl}/services/${port.service_id}/port/` },
    onlyWhile,
  })
}

export async function tellEndByText(trx: Trx, deps: PortingDeps, port: PortingRequest): Promise<void> {
  if (port.status !== 'COMPLETED' && port.status !== 'FAILED') return
  const { user, own, number, donor } = await partiesOf(trx, port)
  const works = formatNational(own)
  const why = sentenceOf(reasonOf(deps, port), donor, deps.market.code)
  await queueSms(trx, deps, {
    eventKey: `port-text:${port.id}:${port.status}`,
    to: own,
    userId: user.id,
    text: textOf(deps, (host) =>
      port.status === 'COMPLETED'
        ? [
            `${number} has moved to your new SIM. Put it into your phone, and turn the phone off and on. Your plan: log in at ${host}`,
            `${number} has moved. Put your new SIM in, and turn the phone off and on. Your plan: log in at ${host}`,
          ]
        : [
            `${number} didn't move. ${why && `${why} `}${works} still works. To try again, log in at ${host}`,
            `${number} didn't move. ${works} still works. To try again, log in at ${host}`,
          ],
    ),
    onlyWhile: { serviceId: port.service_id, premise: premiseOfPort(port), byDay: true },
  })
}

/** `own` is the current number of the SIM that we issued. */
export async function partiesOf(
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
    donor: await nameOfDonor(trx, port.provider_id),
  }
}
