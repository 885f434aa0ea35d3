import { globSync, readFileSync } from 'node:fs'
import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { formMessages } from '#kit/contract/errors.ts'
import { passwordMessages } from '#kit/contract/password.ts'
import type { PageEntry } from '#kit/web/page.ts'
import { getFieldError, createFakeApi, openPortal } from '#quality/support/open-portal.tsx'
import { demoMessages } from './demo-form.ts'
import { styleGuidePages } from './styleguide.pages.ts'

const user = userEvent.setup()
type Region = ReturnType<typeof within>
const region = async (name: string) => within(await screen.findByRole('region', { name }))

const home: PageEntry = { path: '/', title: 'Home', component: async () => ({ default: () => <h1>Home</h1> }) }

async function open(part: string) {
  const api = createFakeApi({})
  await openPortal([...styleGuidePages, home], `/styleguide/?part=${part}`, api)
  await screen.findByRole('heading', { level: 1, name: 'Style Guide' })
  return api
}

test.each(globSync('kit/web/{widgets,form}/*.tsx').filter((path) => !path.includes('.test.')))(
  'the style guide shows the UI component %s',
  (path) => {
    const sources = globSync('features/styleguide/web/*.tsx')
      .filter((name) => !name.includes('.test.'))
      .map((name) => readFileSync(name, 'utf8'))
    expect(sources.filter((source) => source.includes(`from '#${path.replaceAll('\\', '/')}'`))).not.toEqual([])
  },
)

describe('links to the style guide’s parts', () => {
  test('the style guide links to its parts, and the URL names the part that is open', async () => {
    await open('feedback')
    const parts = within(screen.getByRole('navigation', { name: 'Parts of the style guide' }))
    expect(parts.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('aria-current')])).toEqual([
      ['Foundations', null],
      ['Controls', null],
      ['Forms', null],
      ['Feedback', 'page'],
      ['Screens', null],
    ])
    await region('Banners')
    await user.click(parts.getByRole('link', { name: 'Screens' }))
    await region('Full-page states')
    expect(location.search).toBe('?part=screens')
    expect(screen.queryByRole('region', { name: 'Banners' })).toBeNull()
  })

  test.each(['', 'nothing', '__proto__'])(
    'the style guide opens its first part if the URL names the part “%s”',
    async (part) => {
      await open(part)
      expect(await screen.findByRole('region', { name: 'Colours' })).toBeTruthy()
    },
  )
})

test('the style guide sets the theme and text size on the document, and removes them when the visitor leaves the page', async () => {
  await open('foundations')
  const { dataset } = document.documentElement
  await user.click(screen.getByRole('radio', { name: 'Dark' }))
  await user.click(screen.getByRole('radio', { name: '200%' }))
  expect({ ...dataset }).toMatchObject({ theme: 'dark', text: '200' })
  await user.click(screen.getByRole('radio', { name: 'System' }))
  expect(dataset['theme']).toBe('system')
  fireEvent.click(screen.getByRole('link', { name: 'Fantail Mobile, home' }))
  await screen.findByRole('heading', { name: 'Home' })
  expect({ ...dataset }).toEqual({})
})

describe('the style guide’s demo form', () => {
  const box = (form: Region, name: string) => form.getByRole('textbox', { name })
  const save = (form: Region) => form.getByRole('button', { name: /^Sav/ }) as HTMLButtonElement

  async function fillIn(form: Region) {
    await user.type(box(form, 'Full name'), 'Ana Rewi')
    await user.type(box(form, 'Email'), 'ana@example.nz')
    await user.type(form.getByLabelText('Password'), 'karaka1')
    await user.selectOptions(form.getByRole('combobox'), 'Red Mobile')
    await user.click(form.getByRole('radio', { name: /^No, use/ }))
  }

  test('the style guide’s demo form shows the same error messages as real forms', async () => {
    await open('forms')
    const form = await region('Example form')
    await user.click(save(form))
    expect(getFieldError(box(form, 'Full name'))).toBe(formMessages.required)
    expect(getFieldError(box(form, 'Email'))).toBe(formMessages.required)
    expect(getFieldError(form.getByLabelText('Password'))).toBe(formMessages.required)
    expect(getFieldError(form.getByRole('combobox'))).toBe(formMessages.required)
    expect(getFieldError(form.getByRole('radiogroup', { name: 'Your phone number' }))).toBe(demoMessages.porting)
    await expect.poll(() => document.activeElement).toBe(box(form, 'Full name'))
    expect(save(form).disabled).toBe(true)
    await user.type(box(form, 'Full name'), 'Ana')
    await user.type(form.getByLabelText('Password'), 'abc')
    await user.tab()
    expect(getFieldError(box(form, 'Full name'))).toBe(demoMessages.fullName)
    expect(getFieldError(form.getByLabelText('Password'))).toBe(passwordMessages.short)
  })

  test('the style guide’s demo form simulates the server’s answers and sends no requests', async () => {
    const api = await open('forms')
    const form = await region('Example form')
    await fillIn(form)
    await user.click(save(form))
    expect(await form.findByText('Saved')).toBeTruthy()
    await user.click(form.getByRole('radio', { name: 'An error in one field' }))
    await user.click(save(form))
    expect(getFieldError(box(form, 'Email'))).toBe('This address can’t be used.')
    await user.click(form.getByRole('radio', { name: 'An error for the whole form' }))
    await user.click(save(form))
    expect((await form.findByRole('alert')).textContent).toContain('Something is wrong with the form as a whole.')
    expect(api.calls).toEqual([])
  })

  test('the style guide’s demo form stays pending until the simulated response is triggered', async () => {
    await open('forms')
    const form = await region('Example form')
    await fillIn(form)
    await user.click(form.getByRole('radio', { name: 'No response yet' }))
    await user.click(save(form))
    expect([save(form).textContent, save(form).disabled, save(form).getAttribute('aria-busy')]).toEqual([
      'Saving…',
      true,
      'true',
    ])
    await user.click(form.getByRole('button', { name: 'Simulate the response' }))
    expect(await form.findByText('Saved')).toBeTruthy()
    expect(save(form).disabled).toBe(false)
  })
})

test('the style guide shows fields with their error states', async () => {
  await open('forms')
  const form = await region('Field states')
  await form.findByRole('alert')
  expect(getFieldError(form.getByRole('textbox', { name: /^With two errors/ }))).toContain('There is another problem.')
  expect(getFieldError(form.getByRole('radiogroup', { name: 'A choice with an error' }))).toBe(formMessages.required)
  expect(form.getByRole<HTMLButtonElement>('button', { name: 'Disabled because of errors' }).disabled).toBe(true)
})

test('a progress bar in the style guide never shows more than 100 percent', async () => {
  await open('feedback')
  const progress = await region('Progress')
  const valueOf = (name: string) => progress.getByRole<HTMLProgressElement>('progressbar', { name }).value
  expect(['0 of 100', '50 of 100', '100 of 100', '150 of 100'].map(valueOf)).toEqual([0, 50, 100, 100])
})
