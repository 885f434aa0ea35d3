import { formatNational } from '#kit/contract/phone.ts'
import type { Trx } from '#kit/server/db.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { greet, queueMail } from '#features/messages/server/messages.ts'
import { findService } from '#features/services/server/services.store.ts'
import type { PortingDeps } from './porting.deps.ts'
import type { PortingRequest } from './porting.store.ts'

/** Tells the customer how their number transfer ended. */
export async function sendPortMail(trx: Trx, deps: PortingDeps, port: PortingRequest): Promise<void> {
  const service = await findService(trx, port.service_id)
  const user = service && (await findUser(trx, service.user_id))
  if (!user) throw new Error('a transfer without a customer')
  const number = formatNational(port.msisdn)
  const good = port.status === 'COMPLETED'
  await queueMail(trx, deps, {
    eventKey: `port:${port.id}:${port.status}`,
    to: user,
    subject: good
      ? `Your number ${number} is now with ${deps.brandName}`
      : `We could not transfer your number ${number}`,
    heading: good ? 'Number transfer complete' : 'Number transfer failed',
    paragraphs: good
      ? [
          `${greet(user.first_name)}, ${number} now works on your ${deps.brandName} SIM.`,
          'If you have not done so yet, put your new SIM into your phone and turn it off and on again.',
        ]
      : [
          `${greet(user.first_name)}, your previous provider did not release ${number}.`,
          'Your new SIM works with the number on its pack in the meantime. Check the number, the provider and ' +
            'the SIM or account number, then ask for the transfer again.',
        ],
    rows: [],
    button: {
      text: good ? 'Go to my dashboard' : 'Try again',
      url: good ? `${deps.publicUrl}/` : `${deps.publicUrl}/services/${port.service_id}/port/`,
    },
  })
}
