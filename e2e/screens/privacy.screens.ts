import type { Page } from 'playwright-core'
import { makeCustomer } from '#testing/customer.ts'
import { button, labelled, reads } from '../account.ts'
import { heavyUser, subscriber } from './people.ts'
import type { Screen } from './screen.ts'
import { opened } from './ways.ts'

const privacy = '/account/privacy/'

async function askToDownload(page: Page, password: string): Promise<void> {
  await button(page, 'Download my data').click()
  await labelled(page, 'Current password').fill(password)
  await button(page, 'DOWNLOAD').click()
}

/** What we keep of a customer, and what they can do about it. */
export const privacyScreens: Screen[] = [
  opened('privacy', privacy, heavyUser),
  opened('privacy, before a download', privacy, subscriber, (page) => button(page, 'Download my data').click()),
  opened(
    'privacy, a wrong password',
    privacy,
    ({ world }) => makeCustomer(world),
    async (page) => {
      await askToDownload(page, 'not it 1')
      await reads(page, 'That is not your current password.')
    },
  ),
  opened(
    'privacy, downloading',
    privacy,
    ({ world }) => makeCustomer(world),
    async (page, { password }) => {
      await askToDownload(page, password)
      await reads(page, 'Your download has started.')
    },
  ),
]
