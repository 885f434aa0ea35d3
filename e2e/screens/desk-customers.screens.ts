import type { Page } from 'playwright-core'
import { reads } from '../account.ts'
import { bare, blocked, closed, known, long, verified } from './desk-people.ts'
import { atDesk, failed } from './desk-ways.ts'
import type { Screen } from './screen.ts'

const at = '/customers/1/'
const pathOf = ({ id }: { id: string }): string => `/customers/${id}/`
const lookedOf = ({ id }: { id: string }): string => `/customers/${id}/looked/`

/** Presses it, and waits for what comes over the page. */
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
  atDesk('customer, blocked', { at, make: blocked, path: pathOf }),
  atDesk('customer, nothing yet', { at, make: bare, path: pathOf }),
  atDesk('customer, all as long as it may be', { at, make: long, path: pathOf }),
  failed('customer, failed', '**/api/desk/customers/**', { at, make: known, path: pathOf }),
  atDesk('who looked', { at: '/customers/1/looked/', make: known, path: lookedOf }),
  failed('who looked, failed', '**/looked/**', { at: '/customers/1/looked/', make: known, path: lookedOf }),
]
