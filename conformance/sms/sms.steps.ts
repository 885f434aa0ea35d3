import * as v from 'valibot'
import type { Sms, SmsSender } from '#providers/sms/sms.port.ts'
import { describeExchange } from '../exchange-log.ts'
import { skip, type Notes, type Step } from '../step.ts'
import type { SmsSuiteContext } from './sms-suite-context.ts'

type SmsStep = Step<SmsSuiteContext>

const wrongKeyStep: SmsStep = {
  name: 'wrong-key',
  tries: 'a text with an unknown secret',
  matters: 'The carrier accepts any caller, so anyone can send texts in your name, at your cost.',
  async run(world, notes) {
    if (!world.stranger) return skip('SMS_AUTH is none, so callers do not authenticate')
    const outcome = await sendAndDescribe(world.stranger, testSms(world, 'from a stranger'))
    notes.came(world.exchanges.last() ? describeExchange(world.exchanges.last()) : outcome)
    if (outcome === 'sent') notes.differs('the text was accepted')
    if (outcome === 'refused')
      notes.differs('the text was refused permanently; expected 401 or 403, after which the product retries')
  },
}

const acceptedStep: SmsStep = {
  name: 'accepted',
  tries: 'a text to the phone',
  matters: 'No codes or notices are sent by text, and customers cannot confirm a number.',
  async run(world, notes) {
    const sms = testSms(world, 'Tēnā koe')
    const outcome = await sendAndDescribe(world.carrier, sms)
    notes.came(`${outcome}: ${describeExchange(world.exchanges.last())}`)
    if (outcome !== 'sent') return notes.differs(`the result is ${outcome}, not sent`)
    notes.byHand(`the phone ${world.file.to} shows "${sms.text}" from ${world.file.settings['SMS_SENDER']}`)
  },
}

const repeatStep: SmsStep = {
  name: 'repeat',
  tries: 'the same text twice with one externalId, as after a lost answer',
  matters: 'After a lost answer, a customer gets the same text twice.',
  async run(world, notes) {
    const sms = testSms(world, 'comes once')
    const first = await sendAndRead(world, notes, sms)
    const again = await sendAndRead(world, notes, sms)
    if (!first || !again) return
    if (world.exchanges.last()?.status === 409) return
    if (first.id === null || again.id === null)
      return notes.byHand(`the phone ${world.file.to} shows "${sms.text}" once`)
    if (first.id !== again.id) notes.differs(`the repeat made a second text: ${first.id}, then ${again.id}`)
  },
}

const senderStep: SmsStep = {
  name: 'sender',
  tries: 'whether the text is sent as SMS_SENDER, with all its letters',
  matters: 'Customers do not see who the text is from, or letters such as ā are lost.',
  async run(world, notes) {
    const wanted = world.file.settings['SMS_SENDER'] ?? ''
    const sms = testSms(world, 'āēīōū')
    const answer = await sendAndRead(world, notes, sms)
    if (!answer) return
    const { sender: from, content } = answer
    const shownSender = from?.name ?? from?.phoneNumber ?? null
    if (shownSender === null) notes.byHand(`the texts on ${world.file.to} are from ${wanted}`)
    else if (shownSender !== wanted) notes.differs(`the sender is ${shownSender}, not ${wanted}`)
    if (content === null) notes.byHand(`the text "${sms.text}" on ${world.file.to} has all its letters`)
    else if (content !== sms.text)
      notes.differs(`the text is ${JSON.stringify(content)}, not ${JSON.stringify(sms.text)}`)
  },
}

const refusedStep: SmsStep = {
  name: 'refused',
  tries: 'a text to a number that is not in use',
  matters: 'A code to an unreachable number counts as sent, or is retried for hours while the customer waits for it.',
  async run(world, notes) {
    const outcome = await sendAndDescribe(world.carrier, { ...testSms(world, 'to nobody'), to: world.file.refused })
    notes.came(`${outcome}: ${describeExchange(world.exchanges.last())}`)
    if (outcome === 'sent')
      notes.differs('the text was accepted; expected HTTP 400 or 422 with code and reason, or the state failed')
    else if (outcome !== 'refused')
      notes.differs(`the answer is not definite: ${outcome}; expected HTTP 400 or 422 with code and reason`)
  },
}

const responseSchema = v.object({
  id: v.optional(v.nullable(v.union([v.string(), v.pipe(v.number(), v.transform(String))])), null),
  content: v.optional(v.nullable(v.string()), null),
  sender: v.optional(v.nullable(v.object({ name: v.optional(v.string()), phoneNumber: v.optional(v.string()) })), null),
})

/** Sends a text message and returns the carrier's response. Returns `null` and fails the step if the text was not sent. */
async function sendAndRead(
  world: SmsSuiteContext,
  notes: Notes,
  sms: Sms,
): Promise<v.InferOutput<typeof responseSchema> | null> {
  const outcome = await sendAndDescribe(world.carrier, sms)
  notes.came(`${outcome}: ${describeExchange(world.exchanges.last())}`)
  if (outcome !== 'sent') {
    notes.differs(`the result is ${outcome}, not sent`)
    return null
  }
  const read = v.safeParse(responseSchema, world.exchanges.lastJson())
  return read.success ? read.output : { id: null, content: null, sender: null }
}

/** Sends a text message. Returns the outcome that the sender reports, or the error's text if sending throws. */
const sendAndDescribe = (carrier: SmsSender, sms: Sms): Promise<string> =>
  carrier.send(sms).then(
    (sent) => (sent === 'sent' ? sent : sent.outcome),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

function testSms({ file, nextReference }: SmsSuiteContext, about: string): Sms {
  const reference = nextReference()
  return { messageId: `<${reference}@conformance.invalid>`, to: file.to, text: `${reference} ${about}` }
}

export const smsSteps: SmsStep[] = [wrongKeyStep, acceptedStep, repeatStep, senderStep, refusedStep]
