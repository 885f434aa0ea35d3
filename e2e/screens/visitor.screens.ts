import type { Page } from 'playwright-core'
import { type Customer, makeCustomer } from '#testing/customer.ts'
import { activate } from '#testing/journey.ts'
import { newResetLink } from '#testing/reset-link.ts'
import { newEmail } from '#testing/world.ts'
import { button, enter, labelled, link, logIn, mailedLink, reads } from '../account.ts'
import { answer, hold } from './calls.ts'
import { once, type Screen } from './screen.ts'

const somebody = once((world) => makeCustomer(world))
const unconfirmed = once((world) => makeCustomer(world, { verified: false, email: `${'a'.repeat(60)}.${'b'.repeat(60)}.${Date.now()}@example.nz` }))
const voucher = once((world) => world.newVoucher('plan-90-25gb'))

const spent = once(async (world) => {
  const code = await world.newVoucher()
  await activate(world, { voucher: code })
  return code
})

const sendAgain = ({ visitor }: Customer) => visitor.get('/api/account/resend_verification/', { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' })

const setPassword = async (page: Page, first: string, second = first): Promise<void> => {
  await labelled(page, 'New password').fill(first)
  await labelled(page, 'Confirm new password').fill(second)
  await button(page, 'SET PASSWORD').click()
}

/** Before the portal: logging in, what to do without a password, the links of mails, and a voucher's first page. */
export const visitorScreens: Screen[] = [
  { name: 'login', at: '/login/', open: ({ visit }) => visit('/login/') },
  {
    name: 'login without answers',
    at: '/login/',
    async open({ visit }) {
      const page = await visit('/login/')
      await button(page, 'LOG IN').click()
      await reads(page, 'This field is required.')
      return page
    },
  },
  {
    name: 'login refused, the password shown',
    at: '/login/',
    async open({ visit }) {
      const page = await visit('/login/')
      await logIn(page, { email: newEmail(), password: 'not it 1' })
      await reads(page, 'Please enter a correct email address and password.')
      await button(page, 'Show password').click()
      return page
    },
  },
  {
    name: 'login tried too often',
    at: '/login/',
    async open({ visit }) {
      const page = await visit('/login/')
      await answer(page, '**/api/account/login/', 429)
      await logIn(page, { email: newEmail(), password: 'not it 1' })
      await reads(page, 'Too many requests. Please try again shortly.')
      return page
    },
  },
  {
    name: 'login under way',
    at: '/login/',
    async open({ visit }) {
      const page = await visit('/login/')
      await hold(page, '**/api/account/login/')
      await logIn(page, { email: newEmail(), password: 'not it 1' })
      await page.getByRole('button', { name: 'Logging in' }).waitFor()
      return page
    },
  },
  { name: 'forgot password', at: '/forgot-password/', open: ({ visit }) => visit('/forgot-password/') },
  {
    name: 'forgot password, no address',
    at: '/forgot-password/',
    async open({ visit }) {
      const page = await visit('/forgot-password/')
      await enter(page, 'Email', 'ana@')
      await reads(page, 'Please enter a valid email address.')
      return page
    },
  },
  {
    name: 'forgot password, asked',
    at: '/forgot-password/',
    async open({ visit }) {
      const page = await visit('/forgot-password/')
      await labelled(page, 'Email').fill(newEmail())
      await button(page, 'SEND LINK').click()
      await reads(page, 'If that address has an account')
      return page
    },
  },
  {
    name: 'password reset',
    at: '/password-reset/a/b',
    async open({ visit, world }) {
      const { url } = await newResetLink(world, (await makeCustomer(world)).email)
      return visit(new URL(url).pathname)
    },
  },
  {
    name: 'password reset with faults',
    at: '/password-reset/a/b',
    async open({ visit }) {
      const page = await visit('/password-reset/a/b')
      await enter(page, 'New password', 'tui 1')
      await enter(page, 'Confirm new password', 'kereru 23')
      await reads(page, "The two password fields don't match.")
      return page
    },
  },
  {
    name: 'password reset, the link is no good',
    at: '/password-reset/a/b',
    async open({ visit }) {
      const page = await visit('/password-reset/a/b')
      await setPassword(page, 'weka 333')
      await reads(page, 'This link is no longer valid.')
      return page
    },
  },
  { name: 'verify', at: '/verify/', open: async (stage) => stage.visit('/verify/', await unconfirmed(stage)) },
  {
    name: 'verify, sent again',
    at: '/verify/',
    async open(stage) {
      const page = await stage.visit('/verify/', await unconfirmed(stage))
      await button(page, 'RESEND').click()
      await reads(page, 'Email resent. Please check your inbox.')
      return page
    },
  },
  {
    name: 'verify, sent too often',
    at: '/verify/',
    async open(stage) {
      const page = await stage.visit('/verify/', await unconfirmed(stage))
      await answer(page, '**/resend_verification/', 429)
      await button(page, 'RESEND').click()
      await reads(page, 'Too many requests.')
      return page
    },
  },
  {
    name: 'verify, confirming',
    at: '/verify/',
    async open(stage) {
      const page = await stage.enter()
      await hold(page, '**/verify_email/')
      await page.goto('/verify/?token=abc')
      await reads(page, 'One moment')
      return page
    },
  },
  {
    name: 'verify, confirmed while signed in',
    at: '/verify/',
    async open(stage) {
      const customer = await makeCustomer(stage.world, { verified: false })
      await sendAgain(customer)
      const page = await stage.enter(customer)
      await page.goto(await mailedLink(stage.world, customer.email, '/verify/'))
      await link(page, 'Go to my dashboard').waitFor()
      return page
    },
  },
  {
    name: 'verify, confirmed elsewhere',
    at: '/verify/',
    async open({ enter, world }) {
      const customer = await makeCustomer(world, { verified: false })
      await sendAgain(customer)
      const page = await enter()
      await page.goto(await mailedLink(world, customer.email, '/verify/'))
      await link(page, 'LOG IN').waitFor()
      return page
    },
  },
  {
    name: 'verify, the link is no good',
    at: '/verify/',
    async open({ visit }) {
      const page = await visit('/verify/?token=abc')
      await reads(page, 'This link is no longer valid.')
      return page
    },
  },
  {
    name: 'verify, the link is no good, signed in',
    at: '/verify/',
    async open(stage) {
      const page = await stage.visit('/verify/?token=abc', await unconfirmed(stage))
      await reads(page, 'This link is no longer valid.')
      return page
    },
  },
  {
    name: 'verify, no answer',
    at: '/verify/',
    async open(stage) {
      const page = await stage.enter()
      await answer(page, '**/verify_email/', 500)
      await page.goto('/verify/?token=abc')
      await button(page, 'Try Again').waitFor()
      return page
    },
  },
  { name: 'use voucher', at: '/use-voucher/X/', open: async (stage) => stage.visit(`/use-voucher/${await voucher(stage)}/`) },
  { name: 'use voucher, signed in', at: '/use-voucher/X/', open: async (stage) => stage.visit(`/use-voucher/${await voucher(stage)}/`, await somebody(stage)) },
  {
    name: 'use voucher, used up',
    at: '/use-voucher/X/',
    async open(stage) {
      const page = await stage.visit(`/use-voucher/${await spent(stage)}/`)
      await reads(page, 'This voucher has already been used.')
      return page
    },
  },
  {
    name: 'use voucher, invalid',
    at: '/use-voucher/X/',
    async open({ visit }) {
      const page = await visit('/use-voucher/ABCDEFGHJKLM/')
      await reads(page, 'This voucher code is not valid.')
      return page
    },
  },
  { name: 'use voucher, half a code', at: '/use-voucher/X/', open: ({ visit }) => visit('/use-voucher/ABC/') },
  {
    name: 'use voucher, no answer',
    at: '/use-voucher/X/',
    async open({ visit }) {
      const page = await visit('/use-voucher/ABC/')
      await answer(page, '**/api/vouchers/**', 500)
      await page.getByRole('textbox', { name: 'Voucher Code' }).fill('ABCDEFGHJKLM')
      await button(page, 'Try Again').waitFor()
      return page
    },
  },
  {
    name: 'use voucher, not looked up yet',
    at: '/use-voucher/X/',
    async open({ visit }) {
      const page = await visit('/use-voucher/ABC/')
      await hold(page, '**/api/vouchers/**')
      await page.getByRole('textbox', { name: 'Voucher Code' }).fill('ABCDEFGHJKLM')
      await reads(page, 'Checking your code')
      return page
    },
  },
  ...['foundations', 'controls', 'forms', 'feedback', 'screens'].map((part): Screen => ({
    name: `style guide, ${part}`,
    at: '/styleguide/',
    async open({ visit }) {
      const page = await visit(`/styleguide/?part=${part}`)
      await page.getByRole('region').first().waitFor()
      return page
    },
  })),
]
