import type { Page } from 'playwright-core'
import { textWords } from '#features/privacy/server/text-words.ts'
import { type Customer, makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { portAnswers } from '#quality/support/journey.ts'
import { addSentMessages } from '#quality/support/sent-messages.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import { button, labelled, mailedLink, reads } from '../account.ts'
import { answer } from './calls.ts'
import { heavyUser, subscriber, withoutService } from './people.ts'
import { once, type Screen, type Stage } from './screen.ts'
import { followed, fresh, opened, reached } from './ways.ts'

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
  await addSentMessages(world, customer, { times: 23, kinds: Object.keys(textWords), number: customer.service.msisdn })
  return customer
})

async function porting({ world }: Stage): Promise<Customer> {
  const customer = await makeSubscriber(world)
  await customer.visitor.post(`/api/services/port/${customer.service.id}/`, portAnswers(await newPortableNumber(world)))
  await world.db
    .updateTable('porting_requests')
    .set({ status: 'SUBMITTED', retry_at: null })
    .where('service_id', '=', customer.service.id)
    .execute()
  return customer
}

async function askToDownload(page: Page, password: string): Promise<void> {
  await button(page, 'Download my data').click()
  await labelled(page, 'Current password').fill(password)
  await button(page, 'DOWNLOAD').click()
}

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
  opened('privacy, to be erased', privacy, leaving, (page) => reads(page, 'Your data will be deleted')),
  opened('privacy, calling off fails', privacy, leaving, async (page) => {
    await answer(page, erasure, 500)
    await button(page, 'Keep my account').click()
    await reads(page, 'Something went wrong.')
  }),
  reached('privacy, erasure not known', privacy, subscriber, {
    prepare: (page) => answer(page, erasure, 500),
    act: (page) => reads(page, /We can’t check right now whether your data/),
  }),
  opened(
    'privacy, a choice saved',
    privacy,
    ({ world }) => makeCustomer(world),
    async (page) => {
      await page.getByRole('switch').click()
      await reads(page, 'Your choice is saved.')
    },
  ),
  opened('privacy, a choice not saved', privacy, subscriber, async (page) => {
    await answer(page, marketing, 500)
    await page.getByRole('switch').click()
    await reads(page, 'Something went wrong.')
  }),
  reached('privacy, choice not known', privacy, subscriber, {
    prepare: (page) => answer(page, marketing, 500),
    act: (page) => reads(page, /We can’t load your choice about offers right now/),
  }),
  opened('privacy, sent messages', messages, heavyUser),
  opened('privacy, sent messages of every kind', messages, writtenTo, async (page) => {
    await button(page, 'Show more').click()
    await reads(page, 'Not delivered')
  }),
  opened('privacy, more sent messages fail', messages, writtenTo, async (page) => {
    await answer(page, sentMessages, 500)
    await button(page, 'Show more').click()
    await reads(page, 'Something went wrong.')
  }),
  reached('privacy, no sent message', messages, subscriber, {
    prepare: (page) => answer(page, sentMessages, 200, { messages: [], next: null }),
    act: (page) => reads(page, 'We haven’t sent you anything'),
  }),
  reached('privacy, sent messages not known', messages, subscriber, {
    prepare: (page) => answer(page, sentMessages, 500),
    act: (page) => reads(page, /Your messages can’t be loaded right now/),
  }),
  opened('erase, all that goes', erase, heavyUser),
  opened('erase, no number', erase, withoutService),
  opened(
    'erase, a wrong password',
    erase,
    ({ world }) => makeCustomer(world),
    async (page) => {
      await labelled(page, 'Current password').fill('not it 1')
      await button(page, 'DELETE MY DATA').click()
      await reads(page, 'That is not your current password.')
    },
  ),
  opened('erase, asked for', erase, leaving),
  opened('erase, something in its way', erase, porting),
  reached('erase, not known', erase, subscriber, {
    prepare: (page) => answer(page, erasure, 500),
    act: (page) => reads(page, /We can’t load what would be deleted right now/),
  }),
  fresh('keep, before the press', `${keep}?token=x`),
  fresh('keep, a link that is no good', keep),
  followed('keep, called off', keep, leaving, {
    link: ({ email }, { world }) => mailedLink(world, email, keep),
    act: async (page) => {
      await button(page, 'Keep my account').click()
      await reads(page, 'We’ve kept your account.')
    },
  }),
]
