import { formatNational } from '#kit/contract/phone.ts'
import type { Trx } from '#kit/server/db.ts'
import { findUser, type User } from '#features/auth/server/users.store.ts'
import { callSupportText, buildGreeting, queueMail } from '#features/messages/server/messages.ts'
import { findService } from '#features/services/server/services.store.ts'
import { esimNumberSentence } from '../porting.contract.ts'
import { getFailureReason, describePortFailure } from './port-failure.ts'
import type { PortingDeps } from './porting.deps.ts'
import { findDonorName, type PortingRequest } from './porting.store.ts'

export async function sendPortMail(trx: Trx, deps: PortingDeps, port: PortingRequest): Promise<void> {
  const service = await findService(trx, port.service_id)
  const user = service && (await findUser(trx, service.user_id))
  if (!user) throw new Error('a transfer without a customer')
  const number = formatNational(port.msisdn)
  const ownNumber = formatNational(service.msisdn)
  if (port.status === 'CANCELLED') return sendPortCancelledMail(trx, deps, port, { user, number, own: ownNumber })
  const isCompleted = port.status === 'COMPLETED'
  await queueMail(trx, deps, {
    eventKey: `port:${port.id}:${port.status}`,
    to: user,
    subject: isCompleted
      ? `Your number ${number} is now with ${deps.brandName}`
      : `We could not transfer your number ${number}`,
    heading: isCompleted ? 'Number transfer complete' : 'Number transfer failed',
    paragraphs: isCompleted
      ? [
          `${buildGreeting(deps, user.first_name)}, ${number} now works on your ${deps.brandName} SIM.`,
          'If you have not done so yet, put your new SIM into your phone and turn it off and on again.',
        ]
      : await failureParagraphs(trx, deps, port, { name: user.first_name, own: ownNumber }),
    rows: [],
    button: {
      text: isCompleted ? 'Go to my dashboard' : 'Try again',
      url: isCompleted ? `${deps.publicUrl}/` : `${deps.publicUrl}/services/${port.service_id}/port/`,
    },
  })
}

/**
 * Emails the customer that a transfer was cancelled. Somebody else may have requested the cancellation, so the email
 * says whom to contact.
 */
async function sendPortCancelledMail(
  trx: Trx,
  deps: PortingDeps,
  port: PortingRequest,
  { user, number, own }: { user: User; number: string; own: string },
): Promise<void> {
  const donor = await findDonorName(trx, port.provider_id)
  await queueMail(trx, deps, {
    eventKey: `port:${port.id}:${port.status}`,
    to: user,
    subject: `The transfer of your number ${number} was cancelled`,
    heading: 'Number transfer cancelled',
    paragraphs: [
      `${buildGreeting(deps, user.first_name)}, the transfer of ${number} to ${deps.brandName} was cancelled. ` +
        `Your number stays with ${donor}.`,
      `Your ${deps.brandName} SIM works with ${own}. If you didn’t ask for this, ${callSupportText(deps)}. ` +
        'If you still want to bring your number, request the transfer again.',
    ],
    rows: [],
    button: { text: 'Request the transfer again', url: `${deps.publicUrl}/services/${port.service_id}/port/` },
  })
}

async function failureParagraphs(
  trx: Trx,
  deps: PortingDeps,
  port: PortingRequest,
  { name, own }: { name: string; own: string },
): Promise<string[]> {
  const reason = getFailureReason(deps, port)
  const failureText = describePortFailure(reason, await findDonorName(trx, port.provider_id), deps.market.code)
  return [
    `${buildGreeting(deps, name)}, ${formatNational(port.msisdn)} has not moved to ${deps.brandName}.${failureText && ` ${failureText}`}`,
    `Your new SIM works with ${own} in the meantime. ` +
      `${failureAdvice(deps.market.code)[reason && reason !== 'cancelled' ? reason : 'unknown']}`,
  ]
}

const replyActions = {
  NZ: 'reply ‘Yes’ to the text',
  AU: 'enter the code from the text',
}

export const failureAdvice = (market: 'NZ' | 'AU') => ({
  sim_number:
    'Check the number printed on your old SIM, then send your request again. We’ve kept your other details. ' +
    esimNumberSentence,
  account_number: 'Check the account number on your bill, then send your request again. We’ve kept your other details.',
  no_reply: `Send your request again, keep your old SIM in your phone, and ${replyActions[market]} within 2 hours.`,
  said_no: `If you still want to bring your number, send your request again and ${replyActions[market]}.`,
  unknown: 'Check the number, the provider and the SIM or account number, then request the transfer again.',
})
