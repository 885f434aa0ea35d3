import { formatNational } from '#kit/contract/phone.ts'
import type { Trx } from '#kit/server/db.ts'
import { callUs, greet, type MessageDeps, queueMail, queueSms, textOf } from '#features/messages/server/messages.ts'
import type { PortAsk } from './port-ask.ts'
import { sentenceOf } from './port-failure.ts'
import { partiesOf } from './port-news.mail.ts'
import { premiseOfPort } from './port-premise.ts'
import { adviceIn } from './porting.mail.ts'
import type { PortingDeps } from './porting.deps.ts'
import type { PortingRequest } from './porting.store.ts'

type About = Extract<PortAsk, { act: 'ask' }>['about']
type Facts = { about: About; number: string; donor: string }

export const askTextOf = (
  deps: Pick<PortingDeps, 'market' | 'brandShortName' | 'publicUrl'>,
  { about, number, donor }: Facts,
): string =>
  textOf(deps, (host) => {
    const here = `log in at ${host}`
    switch (about) {
      case 'sim_number':
        return [
          `${donor} has a different SIM number for ${number}. To move it, check the number on your OLD SIM: ${here}`,
          `${number} did not move. Check the number on your OLD SIM: ${here}`,
        ]
      case 'account_number':
        return [
          `${donor} has a different account number for ${number}. To move it, check the number on your bill: ${here}`,
          `${number} did not move. Check the account number on your bill: ${here}`,
        ]
      case 'no_reply':
        return [
          `we got no reply, and ${number} is still with ${donor}. To move it, put your OLD SIM in a phone and ask again: ${here}`,
          `${number} did not move. Put your OLD SIM in a phone and ask again: ${here}`,
        ]
      case 'information':
        return [
          `${donor} needs more details about ${number}. To move it, check your details: ${here}`,
          `to move ${number}, check your details: ${here}`,
        ]
      case 'said_no':
      case 'unknown':
        return [
          `${number} did not move from ${donor}. Check the number, the provider and the SIM or account number: ${here}`,
          `${number} did not move. Check your details and send them again: ${here}`,
        ]
    }
  })

/**
 * The text goes to our SIM's number and the email to the address on file. Both are sent only while the problem
 * persists.
 */
export async function tellWhatIsAsked(
  trx: Trx,
  deps: PortingDeps & Pick<MessageDeps, 'again'>,
  port: PortingRequest,
  about: About,
): Promise<void> {
  const { user, own, number, donor } = await partiesOf(trx, port)
  const waits = about === 'information' ? 'information' : 'reply'
  const onlyWhile = { serviceId: port.service_id, premise: premiseOfPort(port, waits), byDay: false }
  await queueSms(trx, deps, {
    eventKey: `port-ask-text:${port.id}`,
    to: own,
    userId: user.id,
    text: askTextOf(deps, { about, number, donor }),
    // A staff member may send this early or late in the day, so the text waits for daytime.
    onlyWhile: { ...onlyWhile, byDay: true },
  })
  await queueMail(trx, deps, {
    eventKey: `port-ask:${port.id}`,
    to: user,
    subject: `What we need from you to move ${number}`,
    heading: 'We need your help to move your number',
    paragraphs: [
      `${greet(deps, user.first_name)}, ${number} has not moved to ${deps.brandName}. ${whyIn(deps, about, donor)}`,
      adviceOn(deps, about),
      `Your new SIM works with ${formatNational(own)} in the meantime.`,
      `If you no longer want to bring your number, you don’t need to do anything. If you have a question, ${callUs(deps)}.`,
    ],
    rows: [],
    button: { text: 'Correct my details', url: `${deps.publicUrl}/services/${port.service_id}/port/` },
    onlyWhile,
  })
}

function whyIn({ market }: Pick<PortingDeps, 'market'>, about: About, donor: string): string {
  if (about === 'information') return `${donor} couldn’t tell from your details that it’s your number.`
  if (about === 'unknown') return `${donor} refused the transfer without giving a reason.`
  return sentenceOf(about, donor, market.code)
}

function adviceOn({ market }: Pick<PortingDeps, 'market'>, about: About): string {
  if (about !== 'information') return adviceIn(market.code)[about]
  return 'Check the number, the provider and the SIM or account number. Cancel this request and send it again with the right details.'
}
