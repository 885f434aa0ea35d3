import { type Customer, makeCustomer } from './customer.ts'
import { pollUntil } from './poll-until.ts'
import type { Answer, Visitor } from './visitor.ts'
import { newEmail, type World } from './world.ts'

export type EmailChanger = Customer & {
  wanted: string
  look(): Promise<Answer>
  ask(newEmail?: string): Promise<Answer>
  pin(): Promise<string>
  wrongPin(): Promise<string>
  enter(otp: string, more?: object): Promise<Answer>
  resendPin(): Promise<Answer>
  resendLink(): Promise<Answer>
  token(mails?: number): Promise<string>
  confirm(token: string, visitor?: Visitor): Promise<Answer>
}

const path = '/api/account/update_email/'

/** Creates a new customer who is about to change their email address. If the customer has no service, PINs are sent by email. */
export async function makeEmailChanger(
  world: World,
  { wanted = newEmail(), ...wishes }: Parameters<typeof makeCustomer>[1] & { wanted?: string } = {},
): Promise<EmailChanger> {
  const customer = await makeCustomer(world, wishes)
  const { visitor, email, services } = customer
  let asked = 0
  const pin = () =>
    pollUntil(async () => {
      const sent = services[0] ? await world.smsTo(services[0].msisdn) : await world.mailTo(email)
      const pins = sent.flatMap(({ text }) => / PIN(?: is|:) (\d{6})/.exec(text)?.[1] ?? [])
      return pins.length >= asked && pins[0]
    })
  const countSentPin = async (answer: Promise<Answer>): Promise<Answer> => {
    const { status } = await answer
    if (status === 200) asked += 1
    return answer
  }
  return {
    ...customer,
    wanted,
    look: () => visitor.get(path),
    ask: (address = wanted) => countSentPin(visitor.post(path, { new_email: address })),
    pin,
    wrongPin: async () => ((await pin()) === '111111' ? '222222' : '111111'),
    enter: (otp, more) => visitor.post(path, { otp, ...more }),
    resendPin: () => countSentPin(visitor.post(`${path}resend_otp/`)),
    resendLink: () => visitor.post(`${path}resend_email/`),
    token: (mails = 1) =>
      pollUntil(async () => {
        const sent = await world.mailTo(wanted)
        return sent.length >= mails && extractEmailToken(sent[0]?.text ?? '')
      }),
    confirm: (token, by = visitor) => by.post(`${path}confirm/`, { token }),
  }
}

export const extractEmailToken = (text: string): string | undefined => /change-email\/\?token=([\w-]+)/.exec(text)?.[1]
