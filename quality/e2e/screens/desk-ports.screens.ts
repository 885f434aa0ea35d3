import { asked, declinedPort, moved, incompletePort, waitingPort } from './desk-people.ts'
import { reads } from '../account.ts'
import { mockResponse } from './page-calls.ts'
import { deskScreen, failedDeskScreen, staffVisitors, post } from './desk-screen.ts'
import type { Screen, Stage } from './screen.ts'

const at = '/ports/00000000-port-1/'
const pathOf = ({ reference }: { reference: string }): string => `/ports/${reference}/`

async function some(stage: Stage): Promise<void> {
  for (const make of [declinedPort, waitingPort, incompletePort, moved]) await make(stage)
}

async function taken(stage: Stage) {
  const port = await incompletePort(stage)
  await post(await staffVisitors.second(stage), `ports/${port.reference}/take/`)
  return port
}

export const portScreens: Screen[] = [
  deskScreen('ports', { at: '/ports/', make: some }),
  deskScreen('ports, with the customer', { at: '/ports/', make: some, path: () => '/ports/?of=customer' }),
  deskScreen('ports, reminded', {
    at: '/ports/',
    make: some,
    path: () => '/ports/?of=customer',
    async act(page) {
      await mockResponse(page, '**/remind/', 200, {
        said: 'Reminder sent: a text to 021 555 0233 and an email are on the way.',
      })
      await page
        .getByRole('button', { name: /^Remind/ })
        .first()
        .click()
      await reads(page, /^Reminder sent:/)
    },
  }),
  failedDeskScreen('ports, figures failed', '**/api/desk/port-figures/', { at: '/ports/', make: some }),
  deskScreen('ports, none', { at: '/ports/', path: () => '/ports/?of=carrier' }),
  failedDeskScreen('ports, failed', '**/api/desk/ports/**', { at: '/ports/' }),
  deskScreen('port, declined', { at, make: declinedPort, path: pathOf }),
  deskScreen('port, to correct', {
    at,
    make: declinedPort,
    path: pathOf,
    async act(page) {
      await page
        .getByRole('button', { name: /^Correct and resubmit/ })
        .first()
        .click()
      await page.getByRole('dialog').getByLabel('Account number').fill('401182773')
    },
  }),
  deskScreen('port, to ask by text', {
    at,
    make: declinedPort,
    path: pathOf,
    act: (page) => page.getByRole('button', { name: /^Ask the customer by text/ }).click(),
  }),
  deskScreen('port, its customer was asked', { at, make: asked, path: pathOf }),
  deskScreen('port, a colleague is at it', { at, make: taken, path: pathOf }),
  deskScreen('port, waits for YES', { at, make: waitingPort, path: pathOf }),
  deskScreen('port, to call off', {
    at,
    make: waitingPort,
    path: pathOf,
    act: (page) => page.getByRole('button', { name: /^Cancel transfer/ }).click(),
  }),
  deskScreen('port, moved', { at, make: moved, path: pathOf }),
  failedDeskScreen('port, failed', '**/api/desk/ports/**', { at, make: declinedPort, path: pathOf }),
]
