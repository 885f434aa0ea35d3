import type { Page } from 'playwright-core'
import { makeCustomer } from '#quality/support/customer.ts'
import { makeEmailChanger } from '#quality/support/email-changer.ts'
import { getButton, enter, getField, reads } from '../account.ts'
import { mockResponse } from './page-calls.ts'
import { heavyUser, createLongEmail, backdatePasswordEntry, subscriber } from './people.ts'
import type { Screen, Stage } from './screen.ts'
import { screenFromLink, openedScreen, screenByNavigation } from './screen-builders.ts'

const changeEmail = '/account/contact-details/change-email/'

async function emailChanger({ world }: Stage, { proven = false, wanted = undefined as string | undefined } = {}) {
  const changer = await makeEmailChanger(world, { services: 1, ...(wanted && { wanted }) })
  await changer.ask()
  if (proven) await changer.enter(await changer.pin())
  return changer
}

const step = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 2, name, exact: true }).waitFor()

const going = { new_email: 'mere@example.nz', sent_to: '', canceled_by: null, locked_until: null }

export const changeEmailScreens: Screen[] = [
  openedScreen('change email', changeEmail, heavyUser),
  openedScreen('change email, unconfirmed', changeEmail, (stage) => makeCustomer(stage.world, { verified: false })),
  openedScreen('change email with a fault', changeEmail, subscriber, async (page) => {
    await enter(page, 'New email address', 'mere@')
    await reads(page, 'Please enter a valid email address.')
  }),
  openedScreen(
    'change email, the password asked again',
    changeEmail,
    (stage) => makeCustomer(stage.world),
    async (page, customer, stage) => {
      await backdatePasswordEntry(stage, customer)
      await getField(page, 'New email address').fill('mere@example.nz')
      await getButton(page, 'CONTINUE').click()
      await reads(page, 'Please enter your current password.')
    },
  ),
  openedScreen(
    'change email, the PIN',
    changeEmail,
    (stage) => emailChanger(stage, { wanted: createLongEmail() }),
    (page) => step(page, 'Enter your One-Time PIN'),
  ),
  openedScreen('change email, a wrong PIN', changeEmail, emailChanger, async (page) => {
    await getField(page, 'One-Time PIN').fill('000000')
    await getButton(page, 'CONTINUE').click()
    await reads(page, 'That One-Time PIN isn’t right.')
  }),
  openedScreen('change email, the PIN sent again', changeEmail, emailChanger, async (page) => {
    await getButton(page, 'RESEND PIN').click()
    await reads(page, 'We’ve sent you a new One-Time PIN.')
  }),
  screenByNavigation('change email, the PIN has expired', changeEmail, subscriber, {
    prepare: (page) =>
      mockResponse(page, '**/update_email/', 200, {
        ...going,
        state: 'EXPIRED',
        sent_to: '•••• 142',
      }),
    act: async (page) => {
      await getField(page, 'One-Time PIN').fill('000000')
      await getButton(page, 'CONTINUE').click()
      await reads(page, 'This One-Time PIN has expired.')
    },
  }),
  openedScreen(
    'change email, the link',
    changeEmail,
    (stage) => emailChanger(stage, { proven: true }),
    (page) => step(page, 'Check your inbox'),
  ),
  screenFromLink('change email, done', changeEmail, (stage) => emailChanger(stage, { proven: true }), {
    link: async (changer) => `${changeEmail}?token=${await changer.token()}`,
    act: (page) => step(page, 'Your email address has changed'),
  }),
  openedScreen('change email, the link is no good', `${changeEmail}?token=abc`, subscriber, (page) =>
    reads(page, 'This link is no longer valid.'),
  ),
  screenByNavigation('change email, stopped', changeEmail, subscriber, {
    prepare: (page) =>
      mockResponse(page, '**/update_email/', 200, { ...going, state: 'CANCELED', canceled_by: 'address_taken' }),
    act: (page) => reads(page, 'is no longer available'),
  }),
  openedScreen('change email, stopped after five wrong PINs', changeEmail, emailChanger, async (page) => {
    for (let tries = 0; tries < 5; tries++) {
      await getField(page, 'One-Time PIN').fill(String(tries).repeat(6))
      await getButton(page, 'CONTINUE').click()
      await reads(
        page,
        ['4 tries left', '3 tries left', '2 tries left', '1 try left', 'You can start again from'][tries]!,
      )
    }
  }),
  screenByNavigation('change email, no tries left', changeEmail, subscriber, {
    prepare: (page) =>
      mockResponse(page, '**/update_email/', 200, {
        ...going,
        state: 'CREATED',
        new_email: '',
        locked_until: new Date(Date.now() + 3_600_000).toISOString(),
      }),
    act: (page) => reads(page, 'You can start again from'),
  }),
  screenByNavigation('change email, state unknown', changeEmail, subscriber, {
    prepare: (page) => mockResponse(page, '**/update_email/', 500),
    act: (page) => page.getByRole('button', { name: /try again/i }).waitFor(),
  }),
]
