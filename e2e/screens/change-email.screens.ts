import type { Page } from 'playwright-core'
import { makeCustomer } from '#testing/customer.ts'
import { makeEmailChanger } from '#testing/email-changer.ts'
import { button, enter, labelled, reads } from '../account.ts'
import { answer } from './calls.ts'
import { heavyUser, longEmail, passwordLongAgo, subscriber } from './people.ts'
import type { Screen, Stage } from './screen.ts'
import { followed, opened, reached } from './ways.ts'

const changeEmail = '/account/contact-details/change-email/'

/** A customer who has asked for another address, and entered their PIN when `proven`. */
async function emailChanger({ world }: Stage, { proven = false, wanted = undefined as string | undefined } = {}) {
  const changer = await makeEmailChanger(world, { services: 1, ...(wanted && { wanted }) })
  await changer.ask()
  if (proven) await changer.enter(await changer.pin())
  return changer
}

const step = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 2, name, exact: true }).waitFor()

/** A change of the address. */
export const changeEmailScreens: Screen[] = [
  opened('change email', changeEmail, heavyUser),
  opened('change email, unconfirmed', changeEmail, (stage) => makeCustomer(stage.world, { verified: false })),
  opened('change email with a fault', changeEmail, subscriber, async (page) => {
    await enter(page, 'New email address', 'mere@')
    await reads(page, 'Please enter a valid email address.')
  }),
  opened(
    'change email, the password asked again',
    changeEmail,
    (stage) => makeCustomer(stage.world),
    async (page, customer, stage) => {
      await passwordLongAgo(stage, customer)
      await labelled(page, 'New email address').fill('mere@example.nz')
      await button(page, 'CONTINUE').click()
      await reads(page, 'Please enter your current password.')
    },
  ),
  opened(
    'change email, the PIN',
    changeEmail,
    (stage) => emailChanger(stage, { wanted: longEmail() }),
    (page) => step(page, 'Enter your One-Time PIN'),
  ),
  opened('change email, a wrong PIN', changeEmail, emailChanger, async (page) => {
    await labelled(page, 'One-Time PIN').fill('000000')
    await button(page, 'CONTINUE').click()
    await reads(page, 'That One-Time PIN is not right.')
  }),
  opened('change email, the PIN sent again', changeEmail, emailChanger, async (page) => {
    await button(page, 'RESEND PIN').click()
    await reads(page, 'We’ve sent you a new One-Time PIN.')
  }),
  reached('change email, the PIN has expired', changeEmail, subscriber, {
    prepare: (page) =>
      answer(page, '**/update_email/', 200, { state: 'EXPIRED', new_email: 'mere@example.nz', sent_to: '•••• 142' }),
    act: (page) => reads(page, 'Your One-Time PIN has expired'),
  }),
  opened(
    'change email, the link',
    changeEmail,
    (stage) => emailChanger(stage, { proven: true }),
    (page) => step(page, 'Check your inbox'),
  ),
  followed('change email, done', changeEmail, (stage) => emailChanger(stage, { proven: true }), {
    link: async (changer) => `${changeEmail}?token=${await changer.token()}`,
    act: (page) => step(page, 'Your email address is changed'),
  }),
  opened('change email, the link is no good', `${changeEmail}?token=abc`, subscriber, (page) =>
    reads(page, 'This link is no longer valid.'),
  ),
  reached('change email, stopped', changeEmail, subscriber, {
    prepare: (page) =>
      answer(page, '**/update_email/', 200, { state: 'CANCELED', new_email: 'mere@example.nz', sent_to: '' }),
    act: (page) => step(page, 'This change has been stopped'),
  }),
  reached('change email, state unknown', changeEmail, subscriber, {
    prepare: (page) => answer(page, '**/update_email/', 500),
    act: (page) => page.getByRole('button', { name: /try again/i }).waitFor(),
  }),
]
