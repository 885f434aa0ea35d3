import type { BrowserContext, Locator, Page } from 'playwright-core'
import type { Customer } from '#quality/support/customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { getCookieName } from '#quality/support/visitor.ts'
import type { World } from '#quality/support/world.ts'
import type { ContextOptions, Portal, Size } from './use-portal.ts'
import { expectHeading } from './wizard.ts'

/** Finds a field by its label. Unlike a search by role, this also finds password fields. */
export const getField = (page: Page, name: string) => page.getByLabel(name, { exact: true })
export const getButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const getLink = (page: Page | Locator, name: string | RegExp) => page.getByRole('link', { name, exact: true })

export const reads = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor()

export const expectDashboard = (page: Page, name = 'Ana'): Promise<void> => expectHeading(page, `Welcome, ${name}`)

/** Fills in a field and then leaves it, which triggers validation. */
export async function enter(page: Page, name: string, text: string): Promise<void> {
  await getField(page, name).fill(text)
  await getField(page, name).blur()
}

export const waitForPath = (page: Page, place: string): Promise<void> =>
  page.waitForURL((url) => url.pathname + url.search === place)

/** Waits for the login page and submits its form. The wait matters, because the previous page may also have an email field. */
export async function logIn(page: Page, { email, password }: Pick<Customer, 'email' | 'password'>): Promise<void> {
  await getButton(page, 'LOG IN').waitFor()
  await getField(page, 'Email').fill(email)
  await getField(page, 'Password').fill(password)
  await getButton(page, 'LOG IN').click()
}

export async function addSessionCookies(
  context: BrowserContext,
  { visitor }: Pick<Customer, 'visitor'>,
  url: string,
): Promise<void> {
  await context.addCookies(
    ['fantail', 'csrftoken'].map((name) => ({
      name: getCookieName(url, name),
      value: visitor.cookie(name) ?? '',
      url,
    })),
  )
}

export async function openPageAsCustomer(
  portal: Portal,
  size: Size,
  customer: Pick<Customer, 'visitor'>,
  options: ContextOptions = {},
): Promise<Page> {
  const page = await portal.open(size, options)
  await addSessionCookies(page.context(), customer, portal.world().url)
  return page
}

/** A phone with a touch screen, 390 px wide. */
export const touchPhone: ContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true }

/** Opens a page with a form on a phone, for a new visitor or in a customer's session, and waits until the form can be submitted. */
export async function openForm(portal: Portal, path: string, customer?: Pick<Customer, 'visitor'>): Promise<Page> {
  const page = await (customer
    ? openPageAsCustomer(portal, 'phone', customer, touchPhone)
    : portal.open('phone', touchPhone))
  await page.goto(path)
  await waitForScript(page)
  return page
}

/** Waits until the page's script is running. Until then, forms cannot be submitted. */
export const waitForScript = (page: Page): Promise<void> => page.locator('[type="submit"]:enabled').first().waitFor()

export const waitForMailedLink = (world: World, email: string, path: string, known: string[] = []): Promise<string> =>
  pollUntil(async () =>
    (await world.mailTo(email)).flatMap(({ links }) => links).find((url) => url.includes(path) && !known.includes(url)),
  )
