import { formatNational } from '#kit/contract/phone.ts'
import type { Trx } from '#kit/server/db.ts'
import { issueVerification } from '#features/auth/server/auth.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { greet, queueMail } from '#features/messages/server/messages.ts'
import type { PortingRequest } from '#features/porting/server/porting.store.ts'
import { rowsOf } from './mail-rows.ts'
import type { OrderDeps } from './orders.deps.ts'
import type { Order } from './orders.store.ts'

/** The one mail of an activation: what was bought, the number, and for a new account the link that confirms its address. */
export async function sendActivationMail(
  trx: Trx,
  deps: OrderDeps,
  order: Order,
  { port, signedIn }: { port: PortingRequest | undefined; signedIn: boolean },
): Promise<void> {
  const user = order.user_id ? await findUser(trx, order.user_id) : undefined
  if (!user) throw new Error(`order ${order.order_code} has no customer`)
  const madeHere = user.made_by_order === order.id
  const token = madeHere ? await issueVerification(trx, user.id, deps.clock.now()) : null
  await queueMail(trx, deps, {
    eventKey: `activation:${order.id}`,
    to: user,
    subject: token ? `Welcome to ${deps.brandName}: please confirm your email` : 'Your new SIM is active',
    heading: 'Activation complete',
    paragraphs: [
      `${greet(user.first_name)}, your ${deps.brandName} SIM is active. Put it into your phone, and turn the phone off and on again.`,
      ...(madeHere ? [] : [signedIn ? 'You will find it on your dashboard.' : addedByPassword]),
      ...(port
        ? [
            `We have asked your current provider for ${formatNational(port.msisdn)}. Keep your old SIM in your ` +
              'phone until a text from 2542 arrives, and reply YES within 2 hours. We will email you when your number has moved.',
          ]
        : []),
      ...(token
        ? [
            'Please confirm your email address with the link below, then log in to see your usage. If you did ' +
              'not activate this SIM, the link lets you tell us so.',
          ]
        : []),
    ],
    rows: rowsOf(deps, order, 'Prepay Plan'),
    attachment: `invoice:${order.order_code}`,
    button: token
      ? { text: 'Confirm my email address', url: `${deps.publicUrl}/verify/?token=${token}` }
      : { text: 'Go to my dashboard', url: `${deps.publicUrl}/` },
  })
}

/** For an owner who was not signed in, but signed up with the password of the account that they have. */
const addedByPassword =
  'As you signed up with the password of the account you already have with us, we added this service to it. If ' +
  'it was not you, please change your password and contact us.'
