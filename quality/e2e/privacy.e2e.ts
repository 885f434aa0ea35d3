import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { smsLabels } from '#features/privacy/server/sms.labels.ts'
import { makeSubscriber } from '#quality/support/customer.ts'
import { addSentMessages } from '#quality/support/sent-messages.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { waitForPath, getButton, getField, getLink, waitForMailedLink, openPageAsCustomer, reads } from './account.ts'
import { expectNoOverflow, usePortal } from './use-portal.ts'
import { expectHeading } from './wizard.ts'

const portal = usePortal()

test('a customer downloads their data, asks for it to be erased, and cancels that request through the emailed link', async () => {
  const customer = await makeSubscriber(portal.world())
  const page = await openPageAsCustomer(portal, 'phone', customer)
  await page.goto('/account/security/')
  await getLink(page.getByRole('navigation', { name: 'Account' }), 'Privacy').click()
  await expectHeading(page, 'Privacy')
  await expectNoOverflow(page)

  await getButton(page, 'Download my data').click()
  await getField(page, 'Current password').fill(customer.password)
  const [file] = await Promise.all([page.waitForEvent('download'), getButton(page, 'DOWNLOAD').click()])
  expect(file.suggestedFilename()).toMatch(/^your-data-.+\.html$/)
  expect(readFileSync(await file.path(), 'utf8')).toContain(customer.email)
  await reads(page, 'Your download has started.')

  await getLink(page, 'See what’s deleted').click()
  await expectHeading(page, 'Delete Your Data')
  await reads(page, 'stops working and goes back to the network')
  await expectNoOverflow(page)
  await getField(page, 'Current password').fill(customer.password)
  await getButton(page, 'DELETE MY DATA').click()
  await waitForPath(page, '/account/privacy/')
  await reads(page, 'Your data will be deleted')

  const elsewhere = await portal.open('desktop')
  await elsewhere.goto(await waitForMailedLink(portal.world(), customer.email, '/account/privacy/keep/'))
  await getButton(elsewhere, 'Keep my account').click()
  await reads(elsewhere, 'We’ve kept your account.')
  await page.reload()
  await getLink(page, 'See what’s deleted').waitFor()
  await pollUntil(async () =>
    (await portal.world().mailTo(customer.email)).some(({ subject }) => subject === 'We’ve kept your account'),
  )
})

test('a changed marketing preference is kept, and a customer can page through the messages sent to them', async () => {
  const customer = await makeSubscriber(portal.world())
  const number = customer.service.msisdn
  await addSentMessages(portal.world(), customer, { times: 25, kinds: Object.keys(smsLabels), number })
  const page = await openPageAsCustomer(portal, 'phone', customer)
  await page.goto('/account/privacy/')
  const consent = page.getByRole('switch', { name: /may email me about its plans and offers\.$/ })
  const was = await consent.isChecked()
  await consent.click()
  await reads(page, 'Your choice is saved.')
  await page.reload()
  await expect.poll(() => consent.isEnabled()).toBe(true)
  expect(await consent.isChecked()).toBe(!was)

  await getLink(page, 'See what we sent you').click()
  await expectHeading(page, 'What We Sent You')
  const shown = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('time') })
  await expect.poll(() => shown.count()).toBe(20)
  await getButton(page, 'Show more').click()
  await expect.poll(() => shown.count()).toBeGreaterThan(25)
  expect(await shown.nth(20).evaluate((item) => item === document.activeElement)).toBe(true)
  await expectNoOverflow(page)
})
