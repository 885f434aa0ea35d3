import type { Page } from 'playwright-core'
import { reads } from '../account.ts'
import { mockResponse } from './page-calls.ts'
import {
  bare,
  blockedCustomer,
  unopenedCustomer,
  failingRenewal,
  gone,
  known,
  long,
  moved,
  verifiedCustomer,
} from './desk-people.ts'
import { deskScreen, failedDeskScreen, staffVisitors, post } from './desk-screen.ts'
import type { Screen, Stage } from './screen.ts'

const at = '/customers/1/'
const pathOf = ({ id }: { id: string }): string => `/customers/${id}/`
const lookedOf = ({ id }: { id: string }): string => `/customers/${id}/looked/`

const atNumber = '/customers/1/numbers/1/'
type WithNumber = { id: string; services: readonly { id: string }[] }
const numberOf = ({ id, services: [service] }: WithNumber): string => `/customers/${id}/numbers/${service?.id}/`

async function mover(stage: Stage) {
  const { customer } = await moved(stage)
  await post(await staffVisitors.support(stage), `customers/${customer.id}/open/`, { reason: 'call' })
  return customer
}

const over = (press: string, dialog: string) => async (page: Page) => {
  await page.getByRole('button', { name: press }).first().click()
  await page.getByRole('dialog', { name: dialog }).waitFor()
}

export const customerScreens: Screen[] = [
  deskScreen('customer, nobody has said why', { at, make: unopenedCustomer, path: pathOf }),
  deskScreen('customer', { at, make: known, path: pathOf, act: (page) => reads(page, 'What happened') }),
  deskScreen('customer, as finance sees them', { at, as: 'lead', make: known, path: pathOf }),
  deskScreen('customer, only messages', {
    at,
    make: known,
    path: pathOf,
    act: (page) => page.getByRole('radio', { name: /^Messages/ }).check({ force: true }),
  }),
  deskScreen('customer, the e-mail shown', {
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
  deskScreen('customer, a note', { at, make: known, path: pathOf, act: (page) => page.keyboard.press('n') }),
  deskScreen('customer, to verify', { at, make: known, path: pathOf, act: over('Verify caller', 'Verify caller') }),
  deskScreen('customer, verified', { at, make: verifiedCustomer, path: pathOf }),
  deskScreen('customer, to renew for them', {
    at,
    make: verifiedCustomer,
    path: pathOf,
    async act(page) {
      await over('Renew plan', 'Renew plan')(page)
      await page.getByRole('dialog').getByRole('button').last().waitFor()
    },
  }),
  deskScreen('customer, to block', { at, make: known, path: pathOf, act: over('Block', 'Block') }),
  deskScreen('customer, to unlock', { at, make: known, path: pathOf, act: over('Unlock sign-in', 'Unlock sign-in') }),
  deskScreen('customer, to send again', { at, make: known, path: pathOf, act: over('Send again', 'Send again') }),
  deskScreen('customer, auto-renewal failing', { at, make: failingRenewal, path: pathOf }),
  deskScreen('customer, blocked', { at, make: blockedCustomer, path: pathOf }),
  deskScreen('customer, nothing yet', { at, make: bare, path: pathOf }),
  deskScreen('customer, all as long as it may be', { at, make: long, path: pathOf }),
  failedDeskScreen('customer, failed', '**/api/desk/customers/**', { at, make: known, path: pathOf }),
  deskScreen('who looked', { at: '/customers/1/looked/', make: known, path: lookedOf }),
  failedDeskScreen('who looked, failed', '**/looked/**', { at: '/customers/1/looked/', make: known, path: lookedOf }),
  deskScreen('number, nobody has said why', { at: atNumber, make: unopenedCustomer, path: numberOf }),
  deskScreen('number', { at: atNumber, make: known, path: numberOf, act: (page) => reads(page, 'in these 7 days') }),
  deskScreen('number, as finance sees it', { at: atNumber, as: 'lead', make: known, path: numberOf }),
  deskScreen('number, the week before', {
    at: atNumber,
    make: known,
    path: numberOf,
    act: (page) => page.getByRole('button', { name: 'Previous week' }).click(),
  }),
  deskScreen('number, the SIM shown', {
    at: atNumber,
    make: known,
    path: numberOf,
    async act(page, { service }) {
      await page.getByRole('button', { name: 'Show the SIM number' }).click()
      await reads(page, service.sim.iccid)
    },
  }),
  deskScreen('number, auto-renewal refused', { at: atNumber, make: failingRenewal, path: numberOf }),
  deskScreen('number, moved here', { at: atNumber, make: mover, path: numberOf }),
  deskScreen('number, gone', { at: atNumber, make: gone, path: numberOf }),
  deskScreen('number, all as long as it may be', { at: atNumber, make: long, path: numberOf }),
  deskScreen('number, the network is silent', {
    at: atNumber,
    make: known,
    path: numberOf,
    async prepare(page) {
      await mockResponse(page, '**/days/**', 424, {
        code: 'Unfortunately, your usage detail is not available at this moment.',
      })
      await mockResponse(page, '**/use/', 409, { __all__: ['Sorry, there was an unexpected error.'] })
    },
    act: (page) => reads(page, 'Daily usage is not available: no answer from the network.'),
  }),
  failedDeskScreen('number, failed', '**/api/desk/customers/**', { at: atNumber, make: known, path: numberOf }),
]
