import { cleanup, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import type { DemoMessage } from '../mailbox.ts'
import { messageView, titleOf } from './message.js'
import { recipientOf } from './words.js'

afterEach(cleanup)

const aText: DemoMessage = {
  id: '1',
  message_id: '<1@localhost>',
  channel: 'sms',
  to: '+64215550142',
  subject: '',
  text: 'Fantail Mobile: your code is 482911. Use it at http://localhost/account/. Call 0800 123456 for help.',
  html: '',
  links: ['http://localhost/account/'],
  attachments: [],
  sent_at: '2026-11-21T10:48:00.000Z',
}
const aMail: DemoMessage = {
  ...aText,
  channel: 'email',
  to: 'ana@example.nz',
  subject: 'Confirm your email',
  text: 'Order: 123456\n\nConfirm:\nhttp://localhost/verify/?token=a',
  html: '<p><a href="http://localhost/verify/?token=a">Confirm</a></p>',
  links: ['http://localhost/verify/?token=a'],
}

const shown = (message: DemoMessage) => within(messageView(message))

describe('displaying text messages in the demo mailbox', () => {
  test('a text message shows its recipient’s number, its time and its text', () => {
    const view = shown(aText)
    expect(view.getByRole('heading').textContent).toBe('021 555 0142')
    expect(view.getByText('Text message')).toBeTruthy()
    expect(view.getByText(/November 2026/)).toBeTruthy()
    expect(view.getByText(/:48/).getAttribute('datetime')).toBe(aText.sent_at)
    expect(view.getByText(/^Fantail Mobile: your code/).textContent).toBe(aText.text)
    expect(view.getByRole('link', { name: 'All texts to this number' }).getAttribute('href')).toBe('?to=%2B64215550142')
    expect(view.queryByRole('group', { name: 'How to read it' })).toBeNull()
  })

  test('a text message has links and a code that can be copied, and any markup in it is shown as plain text', () => {
    expect(
      shown(aText)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Copy Code 482911'])
    expect(shown(aText).getByRole('link', { name: 'Open /account/' }).getAttribute('href')).toBe(
      'http://localhost/account/',
    )
    const evil = messageView({ ...aText, text: '<b onclick="x()">482911</b>', links: ['javascript:alert(1)'] })
    expect(evil.querySelector('b, [onclick], nav')).toBeNull()
  })

  test('the message list shows the first words of a text message', () => {
    expect(titleOf({ ...aText, text: 'Kia ora' })).toBe('Kia ora')
    expect(titleOf(aText)).toBe('Fantail Mobile: your code is 482911. Use it at …')
  })
})

test('an email shows its subject, and offers to copy a code only if it contains one', () => {
  const view = shown(aMail)
  expect(view.getByRole('heading').textContent).toBe('Confirm your email')
  expect(view.getByRole('link', { name: 'ana@example.nz' })).toBeTruthy()
  expect(view.getByRole('link', { name: 'Confirm' })).toBeTruthy()
  expect(view.queryByRole('button', { name: /Copy/ })).toBeNull()
  expect(view.queryByRole('list', { name: 'Attachments' })).toBeNull()
})

test('an email attachment opens in a new window under its own name', () => {
  const view = shown({
    ...aMail,
    attachments: [{ filename: 'tax-invoice-FT0000000001.pdf', url: '/demo/mailbox/attachments/1' }],
  })
  const link = within(view.getByRole('list', { name: 'Attachments' })).getByRole('link', {
    name: 'tax-invoice-FT0000000001.pdf',
  })
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/demo/mailbox/attachments/1', '_blank'])
})

test.each([
  '+64215550142',
  '+642155501423',
  '+64210555014',
  '+64274555014',
  '+64225550142',
  '+64201234567',
  '+642012345678',
  '+61412345678',
  '+15550100123',
  'ana@example.nz',
])('the demo mailbox formats the recipient %s in the same way as the portal', (to) => {
  expect(recipientOf(to)).toBe(formatNational(to))
})
