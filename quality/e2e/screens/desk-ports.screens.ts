import { asked, declined, moved, needing, waiting } from './desk-people.ts'
import { reads } from '../account.ts'
import { answer } from './calls.ts'
import { atDesk, failed, member, post } from './desk-ways.ts'
import type { Screen, Stage } from './screen.ts'

const at = '/ports/00000000-port-1/'
const pathOf = ({ reference }: { reference: string }): string => `/ports/${reference}/`

async function some(stage: Stage): Promise<void> {
  for (const make of [declined, waiting, needing, moved]) await make(stage)
}

async function taken(stage: Stage) {
  const port = await needing(stage)
  await post(await member.second(stage), `ports/${port.reference}/take/`)
  return port
}

export const portScreens: Screen[] = [
  atDesk('ports', { at: '/ports/', make: some }),
  atDesk('ports, with the customer', { at: '/ports/', make: some, path: () => '/ports/?of=customer' }),
  atDesk('ports, reminded', {
    at: '/ports/',
    make: some,
    path: () => '/ports/?of=customer',
    async act(page) {
      await answer(page, '**/remind/', 200, {
        said: 'Reminder sent: a text to 021 555 0233 and an email are on the way.',
      })
      await page
        .getByRole('button', { name: /^Remind/ })
        .first()
        .click()
      await reads(page, /^Reminder sent:/)
    },
  }),
  failed('ports, figures failed', '**/api/desk/port-figures/', { at: '/ports/', make: some }),
  atDesk('ports, none', { at: '/ports/', path: () => '/ports/?of=carrier' }),
  failed('ports, failed', '**/api/desk/ports/**', { at: '/ports/' }),
  atDesk('port, declined', { at, make: declined, path: pathOf }),
  atDesk('port, to correct', {
    at,
    make: declined,
    path: pathOf,
    async act(page) {
      await page
        .getByRole('button', { name: /^Correct and resubmit/ })
        .first()
        .click()
      await page.getByRole('dialog').getByLabel('Account number').fill('401182773')
    },
  }),
  atDesk('port, to ask by text', {
    at,
    make: declined,
    path: pathOf,
    act: (page) => page.getByRole('button', { name: /^Ask by text/ }).click(),
  }),
  atDesk('port, its customer was asked', { at, make: asked, path: pathOf }),
  atDesk('port, a colleague is at it', { at, make: taken, path: pathOf }),
  atDesk('port, waits for YES', { at, make: waiting, path: pathOf }),
  atDesk('port, to call off', {
    at,
    make: waiting,
    path: pathOf,
    act: (page) => page.getByRole('button', { name: /^Cancel transfer/ }).click(),
  }),
  atDesk('port, moved', { at, make: moved, path: pathOf }),
  failed('port, failed', '**/api/desk/ports/**', { at, make: declined, path: pathOf }),
]
