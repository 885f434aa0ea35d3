import { formatNational } from '#kit/contract/phone.ts'
import type { Trx } from '#kit/server/db.ts'
import {
  callSupportText,
  buildGreeting,
  type MessageDeps,
  queueMail,
  queueSms,
  chooseFittingSmsText,
} from '#features/messages/server/messages.ts'
import type { PendingCustomerAction } from './port-action.ts'
import { describePortFailure } from './port-failure.ts'
import { findPortParties } from './port-messages.mail.ts'
import { buildPortSendCondition } from './port-send-condition.ts'
import { failureAdvice } from './porting.mail.ts'
import type { PortingDeps } from './porting.deps.ts'
import type { PortingRequest } from './porting.store.ts'

type ActionSubject = Extract<PendingCustomerAction, { act: 'ask' }>['about']
type TransferDetails = { about: ActionSubject; number: string; donor: string }

export const formatActionSms = (
  deps: Pick<PortingDeps, 'market' | 'brandShortName' | 'publicUrl'>,
  { about, number, donor }: TransferDetails,
): string =>
  chooseFittingSmsText(deps, (host) => {
    const loginHint = `log in at ${host}`
    switch (about) {
      case 'sim_number':
        return [
          `${donor} has a different SIM number for ${number}. To move it, check the number on your OLD SIM: ${loginHint}`,
          `${number} did not move. Check the number on your OLD SIM: ${loginHint}`,
        ]
      case 'account_number':
        return [
          `${donor} has a different account number for ${number}. To move it, check the number on your bill: ${loginHint}`,
          `${number} did not move. Check the account number on your bill: ${loginHint}`,
        ]
      case 'no_reply':
        return [
          `we got no reply, and ${number} is still with ${donor}. To move it, put your OLD SIM in a phone and ask again: ${loginHint}`,
          `${number} did not move. Put your OLD SIM in a phone and ask again: ${loginHint}`,
        ]
      case 'information':
        return [
          `${donor} needs more details about ${number}. To move it, check your details: ${loginHint}`,
          `to move ${number}, check your details: ${loginHint}`,
        ]
      case 'said_no':
      case 'unknown':
        return [
          `${number} did not move from ${donor}. Check the number, the provider and the SIM or account number: ${loginHint}`,
          `${number} did not move. Check your details and send them again: ${loginHint}`,
        ]
    }
  })

/**
 * Asks the customer to act on a number transfer. The text goes to the number of the SIM that we issued, and the email to the address on
 * file. Neither is sent once the problem has been resolved.
 */
export async function sendActionRequest(
  trx: Trx,
  deps: PortingDeps & Pick<MessageDeps, 'resendId'>,
  port: PortingRequest,
  about: ActionSubject,
): Promise<void> {
  const { user, own, number, donor } = await findPortParties(trx, port)
  const awaitedState = about === 'information' ? 'information' : 'reply'
  const sendCondition = {
    serviceId: port.service_id,
    premise: buildPortSendCondition(port, awaitedState),
    byDay: false,
  }
  await queueSms(trx, deps, {
    eventKey: `port-ask-text:${port.id}`,
    to: own,
    userId: user.id,
    text: formatActionSms(deps, { about, number, donor }),
    // Staff may trigger this message early or late in the day, so hold the text until daytime.
    onlyWhile: { ...sendCondition, byDay: true },
  })
  await queueMail(trx, deps, {
    eventKey: `port-ask:${port.id}`,
    to: user,
    subject: `What we need from you to move ${number}`,
    heading: 'We need your help to move your number',
    paragraphs: [
      `${buildGreeting(deps, user.first_name)}, ${number} has not moved to ${deps.brandName}. ${describeActionReason(deps, about, donor)}`,
      describeActionAdvice(deps, about),
      `Your new SIM works with ${formatNational(own)} in the meantime.`,
      `If you no longer want to bring your number, you don’t need to do anything. If you have a question, ${callSupportText(deps)}.`,
    ],
    rows: [],
    button: { text: 'Correct my details', url: `${deps.publicUrl}/services/${port.service_id}/port/` },
    onlyWhile: sendCondition,
  })
}

function describeActionReason({ market }: Pick<PortingDeps, 'market'>, about: ActionSubject, donor: string): string {
  if (about === 'information') return `${donor} couldn’t tell from your details that it’s your number.`
  if (about === 'unknown') return `${donor} refused the transfer without giving a reason.`
  return describePortFailure(about, donor, market.code)
}

function describeActionAdvice({ market }: Pick<PortingDeps, 'market'>, about: ActionSubject): string {
  if (about !== 'information') return failureAdvice(market.code)[about]
  return 'Check the number, the provider and the SIM or account number. Cancel this request and send it again with the right details.'
}
