import * as v from 'valibot'
import type { Sms, SmsSender } from '#providers/sms/sms.port.ts'
import { shown } from '../exchanges.ts'
import { skip, type Notes, type Step } from '../step.ts'
import type { SmsWorld } from './sms-world.ts'

type SmsStep = Step<SmsWorld>

const wrongKey: SmsStep = {
  name: 'wrong-key',
  tries: 'a text with a secret that is nobody’s',
  matters: 'The carrier serves whoever calls it: anybody can send texts in your name, at your cost.',
  async run(world, notes) {
    if (!world.stranger) return skip('SMS_AUTH is none: the carrier asks nobody who they are')
    const outcome = await sendOf(world.stranger, textOf(world, 'from a stranger'))
    notes.came(world.exchanges.last() ? shown(world.exchanges.last()) : outcome)
    if (outcome === 'sent') notes.differs('the text was taken')
    if (outcome === 'refused')
      notes.differs('it is refused for good; 401 or 403 was expected, after which it is tried again')
  },
}

const accepted: SmsStep = {
  name: 'accepted',
  tries: 'a text to the phone',
  matters: 'No codes and no notices go out by text: nobody can prove a number.',
  async run(world, notes) {
    const sms = textOf(world, 'Tēnā koe')
    const outcome = await sendOf(world.carrier, sms)
    notes.came(`${outcome}: ${shown(world.exchanges.last())}`)
    if (outcome !== 'sent') return notes.differs(`it is ${outcome}, not sent`)
    notes.byHand(`the phone ${world.file.to} shows "${sms.text}" from ${world.file.settings['SMS_SENDER']}`)
  },
}

const repeat: SmsStep = {
  name: 'repeat',
  tries: 'the same text twice under one externalId, as after an answer that was lost',
  matters: 'A customer gets a text twice, or codes that look like two, whenever an answer is lost.',
  async run(world, notes) {
    const sms = textOf(world, 'comes once')
    const first = await send(world, notes, sms)
    const again = await send(world, notes, sms)
    if (!first || !again) return
    if (world.exchanges.last()?.status === 409) return
    if (first.id === null || again.id === null)
      return notes.byHand(`the phone ${world.file.to} shows "${sms.text}" once`)
    if (first.id !== again.id) notes.differs(`it is a text of its own: ${first.id}, then ${again.id}`)
  },
}

const sender: SmsStep = {
  name: 'sender',
  tries: 'whether the text is sent as SMS_SENDER, with all its letters',
  matters: 'Customers do not see who writes to them, or letters such as ā are lost.',
  async run(world, notes) {
    const wanted = world.file.settings['SMS_SENDER'] ?? ''
    const sms = textOf(world, 'āēīōū')
    const answer = await send(world, notes, sms)
    if (!answer) return
    const { sender: from, content } = answer
    const shownSender = from?.name ?? from?.phoneNumber ?? null
    if (shownSender === null) notes.byHand(`the texts on ${world.file.to} are from ${wanted}`)
    else if (shownSender !== wanted) notes.differs(`it is sent as ${shownSender}, not as ${wanted}`)
    if (content === null) notes.byHand(`the text "${sms.text}" on ${world.file.to} has all its letters`)
    else if (content !== sms.text)
      notes.differs(`its words are ${JSON.stringify(content)}, not ${JSON.stringify(sms.text)}`)
  },
}

const refused: SmsStep = {
  name: 'refused',
  tries: 'a text to a number that no phone has',
  matters: 'A code that can reach nobody counts as sent, or is tried for hours: the customer waits for it.',
  async run(world, notes) {
    const outcome = await sendOf(world.carrier, { ...textOf(world, 'to nobody'), to: world.file.refused })
    notes.came(`${outcome}: ${shown(world.exchanges.last())}`)
    if (outcome === 'sent')
      notes.differs('it is taken; HTTP 400 or 422 with code and reason, or a state failed, was expected')
    else if (outcome !== 'refused')
      notes.differs(`it is no definite no: ${outcome}; HTTP 400 or 422 with code and reason was expected`)
  },
}

const answerSchema = v.object({
  id: v.optional(v.nullable(v.union([v.string(), v.pipe(v.number(), v.transform(String))])), null),
  content: v.optional(v.nullable(v.string()), null),
  sender: v.optional(v.nullable(v.object({ name: v.optional(v.string()), phoneNumber: v.optional(v.string()) })), null),
})

/** Sends a text and returns the carrier's response. `null` if the text was not sent, which is noted as a difference. */
async function send(world: SmsWorld, notes: Notes, sms: Sms): Promise<v.InferOutput<typeof answerSchema> | null> {
  const outcome = await sendOf(world.carrier, sms)
  notes.came(`${outcome}: ${shown(world.exchanges.last())}`)
  if (outcome !== 'sent') {
    notes.differs(`it is ${outcome}, not sent`)
    return null
  }
  const read = v.safeParse(answerSchema, world.exchanges.lastJson())
  return read.success ? read.output : { id: null, content: null, sender: null }
}

/** The product's outcome for this text, or why the outcome is unknown. */
const sendOf = (carrier: SmsSender, sms: Sms): Promise<string> =>
  carrier.send(sms).then(
    (sent) => (sent === 'sent' ? sent : sent.outcome),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

function textOf({ file, nextReference }: SmsWorld, about: string): Sms {
  const reference = nextReference()
  return { messageId: `<${reference}@conformance.invalid>`, to: file.to, text: `${reference} ${about}` }
}

export const smsSteps: SmsStep[] = [wrongKey, accepted, repeat, sender, refused]
