import { formatCardName } from '#kit/contract/card-types.ts'
import { formatNational } from '#kit/contract/phone.ts'
import type { Trx } from '#kit/server/db.ts'
import { issueVerificationToken } from '#features/auth/server/auth.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { callSupportText, buildGreeting, queueMail } from '#features/messages/server/messages.ts'
import type { PortingRequest } from '#features/porting/server/porting.store.ts'
import { nextPlanRows, purchaseRows } from './mail-rows.ts'
import type { OrderDeps } from './orders.deps.ts'
import type { Order } from './orders.store.ts'
import { findLatestAttempt } from './payments.store.ts'

export async function sendActivationMail(
  trx: Trx,
  deps: OrderDeps,
  order: Order,
  { port, signedIn }: { port: PortingRequest | undefined; signedIn: boolean },
): Promise<void> {
  const { user_id: userId } = order
  const user = userId ? await findUser(trx, userId) : undefined
  if (!user) throw new Error(`order ${order.order_code} has no customer`)
  const extraRows = [...(await nextPlanRows(trx, order)), ...(await savedCardRows(trx, order))]
  const isCreatedByOrder = user.made_by_order === order.id
  const token = isCreatedByOrder ? await issueVerificationToken(trx, user.id, deps.clock.now()) : null
  await queueMail(trx, deps, {
    eventKey: `activation:${order.id}`,
    to: user,
    subject: token ? `Welcome to ${deps.brandName}: please confirm your email` : 'Your new SIM is active',
    heading: 'Activation complete',
    paragraphs: [
      ...simInstructions(deps, user.first_name, order, port),
      ...(isCreatedByOrder
        ? []
        : [signedIn ? 'You will find your new SIM on your dashboard.' : existingAccountNotice(deps)]),
      ...(token
        ? [
            'Please confirm your email address with the link below, then log in to see your usage. ' +
              'If you did not activate this SIM, use the same link to let us know.',
          ]
        : []),
    ],
    rows: purchaseRows(deps, order, 'Prepay Plan', extraRows),
    attachment: `invoice:${order.order_code}`,
    button: token
      ? { text: 'Confirm my email address', url: `${deps.publicUrl}/verify/?token=${token}` }
      : { text: 'Go to my dashboard', url: `${deps.publicUrl}/` },
  })
}

function simInstructions(
  deps: OrderDeps,
  firstName: string,
  { msisdn }: Order,
  port: PortingRequest | undefined,
): string[] {
  const { brandName, market } = deps
  const openingText = `${buildGreeting(deps, firstName)}, your ${brandName} SIM is active`
  const insertionText = 'into your phone, and turn the phone off and on again.'
  if (!port) return [`${openingText}. Put it ${insertionText}`]
  const transferredNumber = formatNational(port.msisdn)
  return [
    `${openingText}, and we’ve asked your current provider to transfer ${transferredNumber}. Please follow these steps in order:`,
    '1. Keep your old SIM in your phone, and don’t cancel anything with your current provider. Only a working number can move.',
    `2. ${confirmationInstructions[market.code]} within 2 hours, or the transfer will be cancelled.`,
    `3. Then put your new SIM ${insertionText} It works with ${formatNational(msisdn)} until ${transferredNumber} has moved, which takes ` +
      'about 4 hours in business hours. We’ll email you when it’s done.',
  ]
}

const confirmationInstructions = {
  NZ: 'Wait for a text from 2542 that asks you to confirm. Reply ‘Yes’',
  AU: 'Wait for a text with a code on your old SIM. Log in and enter the code',
}

/** The email's row about the saved card. For a new account, no other email mentions that card. */
async function savedCardRows(trx: Trx, { id }: Order): Promise<[string, string][]> {
  const attempt = await findLatestAttempt(trx, id)
  const { type = null, lastFour = null, storedId = null } = attempt?.card ?? {}
  if (!attempt?.store || !storedId) return []
  return [['Saved card', formatCardName(type, lastFour)]]
}

const existingAccountNotice = (deps: OrderDeps): string =>
  'You signed up with the password for your existing account, so we added this service to that account. ' +
  `If it wasn’t you, please change your password and ${callSupportText(deps)}.`
