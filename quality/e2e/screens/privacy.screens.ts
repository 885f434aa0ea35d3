import type { Page } from 'playwright-core'
import { smsLabels } from '#features/privacy/server/sms.labels.ts'
import { type Customer, makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { addSentMessages } from '#quality/support/sent-messages.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import { getButton, getField, waitForMailedLink, reads } from '../account.ts'
import { mockResponse } from './page-calls.ts'
import { heavyUser, subscriber, customerWithoutService } from './people.ts'
import { once, type Screen, type Stage } from './screen.ts'
import { screenFromLink, anonymousScreen, openedScreen, screenByNavigation } from './screen-builders.ts'

const privacy = '/account/privacy/'
const erase = '/account/privacy/erase/'
const messages = '/account/privacy/messages/'
const keep = '/account/privacy/keep/'
const marketing = '**/api/account/privacy/marketing/'
const sentMessages = '**/api/account/privacy/messages/**'
const erasure = '**/api/account/privacy/erasure/'

async function leaving({ world }: Stage): Promise<Customer> {
  const customer = await makeCustomer(world)
  await customer.visitor.post('/api/account/privacy/erasure/', { password: customer.password })
  return customer
}

const writtenTo = once(async (world) => {
  const customer = await makeSubscriber(world)
  await addSentMessages(world, customer, { times: 23, kinds: Object.keys(smsLabels), number: customer.service.msisdn })
  return customer
})

async function porting({ world }: Stage): Promise<Customer> {
  const customer = await makeSubscriber(world)
  await customer.visitor.post(`/api/services/port/${customer.service.id}/`, portForm(await newPortableNumber(world)))
  await world.db
    .updateTable('porting_requests')
    .set({ status: 'SUBMITTED', retry_at: null })
    .where('service_id', '=', customer.service.id)
    .execute()
  return customer
}

async function askToDownload(page: Page, password: string): Promise<void> {
  await getButton(page, 'Download my data').click()
  await getField(page, 'Current password').fill(password)
  await getButton(page, 'DOWNLOAD').click()
}

export const privacyScreens: Screen[] = [
  openedScreen('privacy', privacy, heavyUser),
  openedScreen('privacy, before a download', privacy, subscriber, (page) =>
    getButton(page, 'Download my data').click(),
  ),
  openedScreen(
    'privacy, a wrong password',
    privacy,
    ({ world }) => makeCustomer(world),
    async (page) => {
      await askToDownload(page, 'not it 1')
      await reads(page, 'That is not your current password.')
    },
  ),
  openedScreen(
    'privacy, downloading',
    privacy,
    ({ world }) => makeCustomer(world),
    async (page, { password }) => {
      await askToDownload(page, password)
      await reads(page, 'Your download has started.')
    },
  ),
  openedScreen('privacy, to be erased', privacy, leaving, (page) => reads(page, 'Your data will be deleted')),
  openedScreen('privacy, calling off fails', privacy, leaving, async (page) => {
    await mockResponse(page, erasure, 500)
    await getButton(page, 'Keep my account').click()
    await reads(page, 'Something went wrong.')
  }),
  screenByNavigation('privacy, erasure not known', privacy, subscriber, {
    prepare: (page) => mockResponse(page, erasure, 500),
    act: (page) => reads(page, /We can’t check right now whether your data/),
  }),
  openedScreen(
    'privacy, a choice saved',
    privacy,
    ({ world }) => makeCustomer(world),
    async (page) => {
      await page.getByRole('switch').click()
      await reads(page, 'Your choice is saved.')
    },
  ),
  openedScreen('privacy, a choice not saved', privacy, subscriber, async (page) => {
    await mockResponse(page, marketing, 500)
    await page.getByRole('switch').click()
    await reads(page, 'Something went wrong.')
  }),
  screenByNavigation('privacy, choice not known', privacy, subscriber, {
    prepare: (page) => mockResponse(page, marketing, 500),
    act: (page) => reads(page, /We can’t load your choice about offers right now/),
  }),
  openedScreen('privacy, sent messages', messages, heavyUser),
  openedScreen('privacy, sent messages of every kind', messages, writtenTo, async (page) => {
    await getButton(page, 'Show more').click()
    await reads(page, 'Not delivered')
  }),
  openedScreen('privacy, more sent messages fail', messages, writtenTo, async (page) => {
    await mockResponse(page, sentMessages, 500)
    await getButton(page, 'Show more').click()
    await reads(page, 'Something went wrong.')
  }),
  screenByNavigation('privacy, no sent message', messages, subscriber, {
    prepare: (page) => mockResponse(page, sentMessages, 200, { messages: [], next: null }),
    act: (page) => reads(page, 'We haven’t sent you anything'),
  }),
  screenByNavigation('privacy, sent messages not known', messages, subscriber, {
    prepare: (page) => mockResponse(page, sentMessages, 500),
    act: (page) => reads(page, /Your messages can’t be loaded right now/),
  }),
  openedScreen('erase, all that goes', erase, heavyUser),
  openedScreen('erase, no number', erase, customerWithoutService),
  openedScreen(
    'erase, a wrong password',
    erase,
    ({ world }) => makeCustomer(world),
    async (page) => {
      await getField(page, 'Current password').fill('not it 1')
      await getButton(page, 'DELETE MY DATA').click()
      await reads(page, 'That is not your current password.')
    },
  ),
  openedScreen('erase, asked for', erase, leaving),
  openedScreen('erase, something in its way', erase, porting),
  screenByNavigation('erase, not known', erase, subscriber, {
    prepare: (page) => mockResponse(page, erasure, 500),
    act: (page) => reads(page, /We can’t show what would be deleted right now/),
  }),
  anonymousScreen('keep, before the press', `${keep}?token=x`),
  anonymousScreen('keep, a link that is no good', keep),
  screenFromLink('keep, called off', keep, leaving, {
    link: ({ email }, { world }) => waitForMailedLink(world, email, keep),
    act: async (page) => {
      await getButton(page, 'Keep my account').click()
      await reads(page, 'We’ve kept your account.')
    },
  }),
]
