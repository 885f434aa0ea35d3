import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { textWords } from '#features/privacy/server/text-words.ts'
import { makeSubscriber } from '#quality/support/customer.ts'
import { addSentMessages } from '#quality/support/sent-messages.ts'
import { until } from '#quality/support/until.ts'
import { arriveAt, button, labelled, link, mailedLink, openAs, reads } from './account.ts'
import { expectNoSideways, usePortal } from './portal.ts'
import { heading } from './wizard.ts'

const portal = usePortal()

test('a customer downloads their data, requests erasure, and keeps the account with the mailed link', async () => {
  const customer = await makeSubscriber(portal.world())
  const page = await openAs(portal, 'phone', customer)
  await page.goto('/account/security/')
  await link(page.getByRole('navigation', { name: 'Account' }), 'Privacy').click()
  await heading(page, 'Privacy')
  await expectNoSideways(page)

  await button(page, 'Download my data').click()
  await labelled(page, 'Current password').fill(customer.password)
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'DOWNLOAD').click()])
  expect(file.suggestedFilename()).toMatch(/^your-data-.+\.html$/)
  expect(readFileSync(await file.path(), 'utf8')).toContain(customer.email)
  await reads(page, 'Your download has started.')

  await link(page, 'See what’s deleted').click()
  await heading(page, 'Delete Your Data')
  await reads(page, 'stops working and goes back to the network')
  await expectNoSideways(page)
  await labelled(page, 'Current password').fill(customer.password)
  await button(page, 'DELETE MY DATA').click()
  await arriveAt(page, '/account/privacy/')
  await reads(page, 'Your data will be deleted')

  const elsewhere = await portal.open('desktop')
  await elsewhere.goto(await mailedLink(portal.world(), customer.email, '/account/privacy/keep/'))
  await button(elsewhere, 'Keep my account').click()
  await reads(elsewhere, 'We’ve kept your account.')
  await page.reload()
  await link(page, 'See what’s deleted').waitFor()
  await until(async () =>
    (await portal.world().mailTo(customer.email)).some(({ subject }) => subject === 'We’ve kept your account'),
  )
})

test('a customer changes their marketing consent for good and pages through the messages sent to them', async () => {
  const customer = await makeSubscriber(portal.world())
  const number = customer.service.msisdn
  await addSentMessages(portal.world(), customer, { times: 25, kinds: Object.keys(textWords), number })
  const page = await openAs(portal, 'phone', customer)
  await page.goto('/account/privacy/')
  const consent = page.getByRole('switch', { name: /may email me about its plans and offers\.$/ })
  const was = await consent.isChecked()
  await consent.click()
  await reads(page, 'Your choice is saved.')
  await page.reload()
  await expect.poll(() => consent.isEnabled()).toBe(true)
  expect(await consent.isChecked()).toBe(!was)

  await link(page, 'See what we sent you').click()
  await heading(page, 'What We Sent You')
  const shown = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('time') })
  await expect.poll(() => shown.count()).toBe(20)
  await button(page, 'Show more').click()
  await expect.poll(() => shown.count()).toBeGreaterThan(25)
  expect(await shown.nth(20).evaluate((item) => item === document.activeElement)).toBe(true)
  await expectNoSideways(page)
})
