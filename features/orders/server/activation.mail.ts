import { cardName } from '#kit/contract/card-types.ts'
import { formatNational } from '#kit/contract/phone.ts'
import type { Trx } from '#kit/server/db.ts'
import { issueVerification } from '#features/auth/server/auth.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { callUs, greet, queueMail } from '#features/messages/server/messages.ts'
import type { PortingRequest } from '#features/porting/server/porting.store.ts'
import { nextPlanRows, rowsOf } from './mail-rows.ts'
import type { OrderDeps } from './orders.deps.ts'
import type { Order } from './orders.store.ts'
import { latestAttempt } from './payments.store.ts'

export async function sendActivationMail(
  trx: Trx,
  deps: OrderDeps,
  order: Order,
  { port, signedIn }: { port: PortingRequest | undefined; signedIn: boolean },
): Promise<void> {
  const { user_id: userId } = order
  const user = userId ? await findUser(trx, userId) : undefined
  if (!user) throw new Error(`order ${order.order_code} has no customer`)
  const more = [...(await nextPlanRows(trx, order)), ...(await savedCardRows(trx, order))]
  const madeHere = user.made_by_order === order.id
  const token = madeHere ? await issueVerification(trx, user.id, deps.clock.now()) : null
  await queueMail(trx, deps, {
    eventKey: `activation:${order.id}`,
    to: user,
    subject: token ? `Welcome to ${deps.brandName}: please confirm your email` : 'Your new SIM is active',
    heading: 'Activation complete',
    paragraphs: [
      ...toDo(deps, user.first_name, order, port),
      ...(madeHere ? [] : [signedIn ? 'You will find it on your dashboard.' : addedByPassword(deps)]),
      ...(token
        ? [
            'Please confirm your email address with the link below, then log in to see your usage. If you did ' +
              'not activate this SIM, the link lets you tell us so.',
          ]
        : []),
    ],
    rows: rowsOf(deps, order, 'Prepay Plan', more),
    attachment: `invoice:${order.order_code}`,
    button: token
      ? { text: 'Confirm my email address', url: `${deps.publicUrl}/verify/?token=${token}` }
      : { text: 'Go to my dashboard', url: `${deps.publicUrl}/` },
  })
}

function toDo(deps: OrderDeps, firstName: string, { msisdn }: Order, port: PortingRequest | undefined): string[] {
  const { brandName, market } = deps
  const isActive = `${greet(deps, firstName)}, your ${brandName} SIM is active`
  const insert = 'into your phone, and turn the phone off and on again.'
  if (!port) return [`${isActive}. Put it ${insert}`]
  const moving = formatNational(port.msisdn)
  return [
    `${isActive}, and we’ve asked your current provider to transfer ${moving}. Please follow these steps in order:`,
    '1. Keep your old SIM in your phone, and don’t cancel anything with your current provider. Only a working number can move.',
    `2. ${confirming[market.code]} within 2 hours, or the transfer will be cancelled.`,
    `3. Then put your new SIM ${insert} It works with ${formatNational(msisdn)} until ${moving} has moved, which takes ` +
      'about 4 hours in business hours. We’ll email you when it’s done.',
  ]
}

const confirming = {
  NZ: 'Wait for a text from 2542 that asks you to confirm. Reply ‘Yes’',
  AU: 'Wait for a text with a code on your old SIM. Log in and enter the code',
}

/** For a new account, no other mail announces the saved card. */
async function savedCardRows(trx: Trx, { id }: Order): Promise<[string, string][]> {
  const attempt = await latestAttempt(trx, id)
  const { type = null, lastFour = null, storedId = null } = attempt?.card ?? {}
  if (!attempt?.store || !storedId) return []
  return [['Saved card', cardName(type, lastFour)]]
}

const addedByPassword = (deps: OrderDeps): string =>
  'You signed up with the password for your existing account, so we added this service to that account. If ' +
  `it wasn’t you, please change your password and ${callUs(deps)}.`
