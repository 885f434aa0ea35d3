import type { Page } from 'playwright-core'
import { reads } from '../account.ts'
import { answer } from './calls.ts'
import { bare, blocked, closed, failing, gone, known, long, moved, verified } from './desk-people.ts'
import { atDesk, failed, member, post } from './desk-ways.ts'
import type { Screen, Stage } from './screen.ts'

const at = '/customers/1/'
const pathOf = ({ id }: { id: string }): string => `/customers/${id}/`
const lookedOf = ({ id }: { id: string }): string => `/customers/${id}/looked/`

const atNumber = '/customers/1/numbers/1/'
type WithNumber = { id: string; services: readonly { id: string }[] }
const numberOf = ({ id, services: [service] }: WithNumber): string => `/customers/${id}/numbers/${service?.id}/`

async function mover(stage: Stage) {
  const { customer } = await moved(stage)
  await post(await member.support(stage), `customers/${customer.id}/open/`, { reason: 'call' })
  return customer
}

const over = (press: string, dialog: string) => async (page: Page) => {
  await page.getByRole('button', { name: press }).first().click()
  await page.getByRole('dialog', { name: dialog }).waitFor()
}

export const customerScreens: Screen[] = [
  atDesk('customer, nobody has said why', { at, make: closed, path: pathOf }),
  atDesk('customer', { at, make: known, path: pathOf, act: (page) => reads(page, 'What happened') }),
  atDesk('customer, as finance sees them', { at, as: 'lead', make: known, path: pathOf }),
  atDesk('customer, only messages', {
    at,
    make: known,
    path: pathOf,
    act: (page) => page.getByRole('radio', { name: /^Messages/ }).check({ force: true }),
  }),
  atDesk('customer, the e-mail shown', {
    at,
    make: known,
    path: pathOf,
    async act(page, { email }) {
      await page
        .getByRole('button', { name: /e-mail/i })
        .first()
        .click()
      await reads(page, email)
    },
  }),
  atDesk('customer, a note', { at, make: known, path: pathOf, act: (page) => page.keyboard.press('n') }),
  atDesk('customer, to verify', { at, make: known, path: pathOf, act: over('Verify caller', 'Verify caller') }),
  atDesk('customer, verified', { at, make: verified, path: pathOf }),
  atDesk('customer, to renew for them', {
    at,
    make: verified,
    path: pathOf,
    async act(page) {
      await over('Renew for them', 'Renew for them')(page)
      await page.getByRole('dialog').getByRole('button').last().waitFor()
    },
  }),
  atDesk('customer, to block', { at, make: known, path: pathOf, act: over('Block', 'Block') }),
  atDesk('customer, to unlock', { at, make: known, path: pathOf, act: over('Unlock sign-in', 'Unlock sign-in') }),
  atDesk('customer, to send again', { at, make: known, path: pathOf, act: over('Send again', 'Send again') }),
  atDesk('customer, auto-renewal failing', { at, make: failing, path: pathOf }),
  atDesk('customer, blocked', { at, make: blocked, path: pathOf }),
  atDesk('customer, nothing yet', { at, make: bare, path: pathOf }),
  atDesk('customer, all as long as it may be', { at, make: long, path: pathOf }),
  failed('customer, failed', '**/api/desk/customers/**', { at, make: known, path: pathOf }),
  atDesk('who looked', { at: '/customers/1/looked/', make: known, path: lookedOf }),
  failed('who looked, failed', '**/looked/**', { at: '/customers/1/looked/', make: known, path: lookedOf }),
  atDesk('number, nobody has said why', { at: atNumber, make: closed, path: numberOf }),
  atDesk('number', { at: atNumber, make: known, path: numberOf, act: (page) => reads(page, 'in these 7 days') }),
  atDesk('number, as finance sees it', { at: atNumber, as: 'lead', make: known, path: numberOf }),
  atDesk('number, the week before', {
    at: atNumber,
    make: known,
    path: numberOf,
    act: (page) => page.getByRole('button', { name: 'Previous week' }).click(),
  }),
  atDesk('number, the SIM shown', {
    at: atNumber,
    make: known,
    path: numberOf,
    async act(page, { service }) {
      await page.getByRole('button', { name: 'Show the SIM number' }).click()
      await reads(page, service.sim.iccid)
    },
  }),
  atDesk('number, auto-renewal refused', { at: atNumber, make: failing, path: numberOf }),
  atDesk('number, moved here', { at: atNumber, make: mover, path: numberOf }),
  atDesk('number, gone', { at: atNumber, make: gone, path: numberOf }),
  atDesk('number, all as long as it may be', { at: atNumber, make: long, path: numberOf }),
  atDesk('number, the network is silent', {
    at: atNumber,
    make: known,
    path: numberOf,
    async prepare(page) {
      await answer(page, '**/days/**', 424, {
        code: 'Unfortunately, your usage detail is not available at this moment.',
      })
      await answer(page, '**/use/', 409, { __all__: ['Sorry, there was an unexpected error.'] })
    },
    act: (page) => reads(page, 'Daily usage is not available: no answer from the network.'),
  }),
  failed('number, failed', '**/api/desk/customers/**', { at: atNumber, make: known, path: numberOf }),
]
